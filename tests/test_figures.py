"""What the plots show: positions, marks and sentences that follow from the data."""

import base64
import io
import re
import sys

import matplotlib
import numpy as np
import pytest
from PIL import Image

from coursekit import figures
from coursekit.data import blobs, overlapping_blobs, xor
from coursekit.errors import CourseError
from coursekit.figures.plane import line_in_window, window_around
from coursekit.figures.style import CLASSES, CURVES, class_style, number

X, Y = blobs()
XOR, XOR_Y = xor()
WALK = np.array([[1.5, -1.0], [1.0, 0.0], [0.25, 0.6]])


def same_labels(points):
    return XOR_Y if len(points) == 4 else np.sign(-points[:, 0] * points[:, 1])


EVERY_PLOT = {
    "points": lambda: figures.points(X, Y),
    "decision_boundary": lambda: figures.decision_boundary(X, Y, [1, 0], 0),
    "boundary_history": lambda: figures.boundary_history(X, Y, [[1, 0], [1, 1]], [0, 1]),
    "class_regions": lambda: figures.class_regions(XOR, XOR_Y, same_labels),
    "mistakes_per_epoch": lambda: figures.mistakes_per_epoch({"clouds": [2, 0], "XOR": [4, 4]}),
    "loss_curves": lambda: figures.loss_curves({"a": [1, 0.5], "b": [1, 0.8]}, reference=0.4),
    "weight_paths": lambda: figures.weight_paths(*overlapping_blobs(), {"slow": WALK}),
    "bound_comparison": lambda: figures.bound_comparison([0.1, 1.0], [900, 9], [12, 2]),
    "line_1d": lambda: figures.line_1d([0, 1, 2], {"ReLU": [0, 1, 0], "linear": [0, 1, 2]}),
    "bars": lambda: figures.bars(["deep", "flat"], [2307, 15], "parameters"),
    "singular_values": lambda: figures.singular_values({"map": [3.0, 1.0, 1e-16]}),
}


def axes_of(plot):
    return plot.figure.axes[0]


def line(plot, gid):
    """The data (n, 2) of the line that carries an id."""
    [found] = [each for each in axes_of(plot).lines if each.get_gid() == gid]
    return found.get_xydata()


def legend(plot):
    return [text.get_text() for text in plot.figure.legends[0].get_texts()]


@pytest.mark.parametrize("name", EVERY_PLOT)
def test_every_plot_is_complete(name):
    plot = EVERY_PLOT[name]()
    axes = axes_of(plot)
    assert axes.get_ylabel()
    assert axes.get_xlabel() or name == "bars"
    assert axes.get_title(loc="left") or name == "bars"
    assert re.fullmatch(r"[A-Z0-9].*\d.*\.", plot.alt), "a sentence with numbers in it"
    assert "\n" not in plot.alt
    picture = Image.open(io.BytesIO(plot.png()))
    assert 840 <= picture.width <= 920
    assert picture.getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("name", EVERY_PLOT)
def test_nothing_is_cut_off(name):
    """The outermost pixels of a plot are all white."""
    pixels = np.array(Image.open(io.BytesIO(EVERY_PLOT[name]().png())).convert("L"))
    edges = [pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]
    assert all(edge.min() == 255 for edge in edges)


def test_every_plot_is_tested():
    assert set(EVERY_PLOT) == set(figures.__all__) - {"Plot"}


def test_no_pyplot_and_no_trace_of_it():
    for make in EVERY_PLOT.values():
        make().png()
    if "matplotlib.pyplot" in sys.modules:
        assert sys.modules["matplotlib.pyplot"].get_fignums() == []


def test_the_look_does_not_depend_on_the_notebooks_settings():
    want = figures.points(X, Y).png()
    with matplotlib.rc_context({"figure.facecolor": "black", "font.size": 30, "text.color": "red"}):
        assert figures.points(X, Y).png() == want
        assert matplotlib.rcParams["font.size"] == 30


def test_classes_differ_in_grey_and_in_shape():
    def grey(colour):
        return np.dot(matplotlib.colors.to_rgb(colour), [0.299, 0.587, 0.114])

    minus, plus = CLASSES[:2]
    assert abs(grey(minus.colour) - grey(plus.colour)) > 0.25
    assert abs(grey(minus.tint) - grey(plus.tint)) > 0.05
    assert len({look.marker for look in CLASSES}) == len(CLASSES)
    assert len({(str(look.line)) for look in CURVES}) == len(CURVES)


def test_pixels_of_the_classes_differ_in_grey():
    plot = figures.points([[-1, 0], [1, 0]], [-1, 1])
    pixels = np.array(Image.open(io.BytesIO(plot.png())).convert("L"), dtype=int)
    at = axes_of(plot).transData.transform([[-1, 0], [1, 0]]).round().astype(int)
    minus, plus = (pixels[pixels.shape[0] - 1 - row, column] for column, row in at)
    assert minus - plus > 60


@pytest.mark.parametrize(
    ("label", "labels", "place"),
    [(-1, {-1, 1}, 0), (1, {-1, 1}, 1), (0, {0, 1}, 0), (1, {0, 1}, 1), (0, {-1, 0, 1}, 2)],
)
def test_class_styles(label, labels, place):
    assert class_style(label, labels) is CLASSES[place]


def test_points():
    plot = figures.points(X, Y)
    assert plot.alt.startswith("100 points: 50 labelled −1 and 50 labelled +1; x₁ runs from −3.49")
    assert legend(plot) == ["label −1", "label +1"]
    assert [len(each.get_xydata()) for each in axes_of(plot).lines] == [50, 50]


@pytest.mark.parametrize(
    ("w", "b"), [([1, 0], 0), ([0, -2], 1), ([3.6, 3.06], 0), ([-1, 2], 0.5), ([1e-9, 1], 0)]
)
def test_the_line_solves_its_equation_and_ends_at_the_edges(w, b):
    ends = line(figures.decision_boundary(X, Y, w, b), "boundary")
    np.testing.assert_allclose(ends @ np.array(w, dtype=float) + b, 0, atol=1e-9)
    left, right, bottom, top = window_around(X)
    for x1, x2 in ends:
        assert np.isclose([x1, x1, x2, x2], [left, right, bottom, top]).any()


def test_the_two_sides_have_the_colours_of_their_classes():
    plot = figures.decision_boundary(X, Y, [1, 0], 0)
    pixels = np.array(Image.open(io.BytesIO(plot.png())))
    at = axes_of(plot).transData.transform([[-6, 4], [6, -3]]).round().astype(int)
    got = [tuple(pixels[pixels.shape[0] - 1 - row, column]) for column, row in at]
    want = [tuple(round(255 * part) for part in matplotlib.colors.to_rgb(c.tint)) for c in CLASSES]
    assert got == want[:2]


def test_wrong_points_are_ringed_and_counted():
    plot = figures.decision_boundary(X, Y, [1, 0], 0)
    wrong = Y * X[:, 0] <= 0
    assert wrong.sum() == 3
    np.testing.assert_array_equal(line(plot, "wrong"), X[wrong])
    assert plot.alt == "The line x₁ = 0; 3 of 100 points on the wrong side."
    assert "wrong: 3 of 100 points" in legend(plot)


def test_a_point_on_the_line_is_wrong():
    plot = figures.decision_boundary([[0, 0], [1, 1]], [1, 1], [1, 1], 0)
    np.testing.assert_array_equal(line(plot, "wrong"), [[0, 0]])


def test_labels_zero_and_one_work_as_well():
    plot = figures.decision_boundary(*xor("binary"), [1, 1], -0.5)
    assert "1 of 4 points" in plot.alt
    assert legend(plot)[:2] == ["label 0", "label 1"]


def test_no_weights_no_line():
    plot = figures.decision_boundary(XOR, XOR_Y, [0, 0], -2)
    assert plot.alt.startswith("There is no line, since w = (0, 0), with b = −2; 2 of 4 points")
    assert "no line, since w = (0, 0)" in legend(plot)


def test_a_line_out_of_sight():
    plot = figures.decision_boundary(X, Y, [1, 0], 50)
    assert "the line x₁ + 50 = 0 lies outside the plot" in plot.alt.lower()
    assert line_in_window(np.array([1.0, 0.0]), 50.0, window_around(X)) is None


def test_a_line_that_touches_a_corner_is_no_line():
    window = window_around(np.array([[-1.0, -1.0], [1.0, 1.0]]))
    corner = -(window.right + window.top)
    assert line_in_window(np.array([1.0, 1.0]), corner, window) is None


@pytest.mark.parametrize(
    ("w", "b", "equation"),
    [
        ([3.6008164, 3.06362926], 0, "3.6 x₁ + 3.06 x₂ = 0"),
        ([-1, 1], -0.25, "−x₁ + x₂ − 0.25 = 0"),
        ([0, -2], 1, "−2 x₂ + 1 = 0"),
    ],
)
def test_equations_read_as_one_writes_them(w, b, equation):
    assert figures.decision_boundary(XOR, XOR_Y, w, b).alt.startswith(f"The line {equation};")


def test_history_draws_each_line_and_numbers_the_newest():
    weights, biases = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]), [0, 0.5, 0, -0.5]
    plot = figures.boundary_history(X, Y, weights, biases)
    for index in (1, 2, 3):
        ends = line(plot, f"line {index}")
        np.testing.assert_allclose(ends @ weights[index] + biases[index], 0, atol=1e-9)
    widths = [each.get_linewidth() for each in axes_of(plot).lines if each.get_gid()]
    assert widths == sorted(widths)
    assert {text.get_text() for text in axes_of(plot).texts} == {"1", "2", "3"}
    assert plot.alt.startswith("4 states, 1 without a line in the plot: from w = (0, 0), b = 0")


def test_a_long_history_keeps_its_numbers_apart():
    angles = np.linspace(0, 1, 60)
    plot = figures.boundary_history(
        X, Y, np.column_stack([np.cos(angles), np.sin(angles)]), [0] * 60
    )
    texts = axes_of(plot).texts
    assert "59" in {text.get_text() for text in texts}
    places = np.array([text.xy for text in texts])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1) + 99 * np.eye(len(places))
    assert len(texts) <= 8
    assert gaps.min() > 0.3


def test_regions():
    plot = figures.class_regions(XOR, XOR_Y, lambda Z: np.where(Z[:, 0] > 0, 1, -1))
    assert "−1 on 50 % and +1 on 50 %" in plot.alt
    assert "2 of 4 points predicted wrongly" in plot.alt
    assert len(line(plot, "wrong")) == 2


def test_regions_of_three_classes():
    plot = figures.class_regions(
        [[0, 0], [1, 1], [2, 0]], [0, 1, 2], lambda Z: np.clip(np.round(Z[:, 0]), 0, 2)
    )
    assert legend(plot) == ["label 0", "label 1", "label 2", "wrong: 0 of 3 points"]


def test_mistakes_have_whole_axes_from_zero():
    plot = figures.mistakes_per_epoch([2, 0])
    assert plot.alt == "Mistakes per epoch, 2 and 0 (2 in all)."
    axes = axes_of(plot)
    assert axes.lines[0].get_xydata().tolist() == [[1, 2], [2, 0]]
    assert axes.get_ylim()[0] == 0
    for ticks in (axes.get_xticks(), axes.get_yticks()):
        assert np.array_equal(ticks, np.round(ticks))


def test_mistakes_of_several_runs():
    plot = figures.mistakes_per_epoch({"clouds": [2, 0], "XOR": [4] * 12, "long": range(30, 0, -1)})
    assert legend(plot) == ["clouds", "XOR", "long"]
    assert "XOR: 4 in each of 12 epochs" in plot.alt
    assert "long: from 30 in the first to 1 in the last of 30 epochs (465 in all)" in plot.alt


def test_losses_and_their_reference():
    plot = figures.loss_curves({"batch": [4, 2, 1]}, reference=0.5, y="loss")
    assert plot.alt == "Loss, batch: from 4 to 1 in 2 steps; the lowest possible is 0.5."
    axes = axes_of(plot)
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == "loss (log scale)"
    assert legend(plot) == ["batch", "lowest possible: 0.5"]
    assert axes_of(figures.loss_curves({"a": [4, 2]}, log=False)).get_yscale() == "linear"


def test_a_diverging_run_leaves_the_plot_and_the_others_stay_visible(recwarn):
    wild = [5.0, 1e4, 1e200, np.inf, np.nan]
    plot = figures.loss_curves({"calm": [5, 1, 0.4], "wild": wild})
    plot.png()
    low, high = axes_of(plot).get_ylim()
    assert low < 0.4 < 5 < high < 1e5
    assert legend(plot) == ["calm", "wild (leaves the plot)"]
    assert "wild: from 5 up until it is not finite at step 3" in plot.alt
    assert not recwarn.list


def test_weight_paths():
    X2, y2 = overlapping_blobs()
    best = np.linalg.lstsq(X2, y2, rcond=None)[0]
    away = best + np.outer(10.0 ** np.arange(9), [1, 0])
    plot = figures.weight_paths(X2, y2, {"calm": WALK, "wild": away})
    star = [each for each in axes_of(plot).lines if each.get_marker() == "*"]
    np.testing.assert_allclose(star[0].get_xydata(), [best], atol=1e-9)
    assert legend(plot) == ["calm", "wild (leaves the plot)", "lowest point"]
    assert "calm ends after 2 steps at (0.25, 0.6)" in plot.alt
    assert "wild leaves the plot at step 1" in plot.alt
    assert axes_of(plot).get_xlim()[1] < 10


def test_weight_paths_with_a_bias_have_another_lowest_point():
    lowest = figures.weight_paths(*overlapping_blobs(), {"path": WALK}, bias=-0.5).alt
    X2, y2 = overlapping_blobs()
    best = np.linalg.lstsq(X2, y2 + 0.5, rcond=None)[0]
    assert f"lowest at ({number(best[0])}, {number(best[1])})" in lowest


def test_bound_comparison():
    plot = figures.bound_comparison([1.0, 0.1], [9, 900], [2, 12])
    assert plot.alt == (
        "Mistakes against their bound, margin 0.1: 12 made, 900 allowed; "
        "margin 1: 2 made, 9 allowed."
    )
    axes = axes_of(plot)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.lines[0].get_xydata().tolist() == [[0.1, 900], [1, 9]]


def test_bars_line_and_singular_values():
    assert EVERY_PLOT["bars"]().alt == "Parameters: 2,307 for deep and 15 for flat."
    assert [text.get_text() for text in axes_of(EVERY_PLOT["bars"]()).texts] == ["2,307", "15"]
    assert "ReLU lies between 0 and 1" in EVERY_PLOT["line_1d"]().alt
    plot = figures.singular_values({"map": [1.0, 3.0, 0.0]})
    assert plot.alt == "Singular values, map: 3 values from 3 to 0, rank 2."
    assert legend(plot) == ["map: rank 2"]
    assert figures.singular_values({"nothing": [0.0, 0.0]}).alt.endswith("rank 0.")


def test_tensors_are_welcome():
    torch = pytest.importorskip("torch")
    w = torch.tensor([1.0, 0.0], requires_grad=True)
    plot = figures.decision_boundary(torch.tensor(X), torch.tensor(Y), w, torch.zeros(1))
    assert "3 of 100" in plot.alt


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: figures.points(X, Y[:-1]), "do not go together"),
        (lambda: figures.points(X[0], Y), "X has shape (2,)"),
        (lambda: figures.points([["a", "b"]], [1]), "needs numbers for X"),
        (lambda: figures.points(XOR, [0.5, 1, 1, 1]), "whole-number labels"),
        (lambda: figures.decision_boundary(X, Y, [1, 2, 3], 0), "two weights and one bias"),
        (lambda: figures.decision_boundary(X, Y, [np.nan, 1], 0), "not finite"),
        (lambda: figures.boundary_history(X, Y, [[1, 2]], [0, 1]), "do not go together"),
        (lambda: figures.class_regions(X, Y, lambda Z: Z), "predict returned"),
        (lambda: figures.class_regions(X, Y, lambda Z: Z[:, 0]), "not labels"),
        (lambda: figures.mistakes_per_epoch([]), "empty"),
        (lambda: figures.loss_curves({}), "empty"),
        (lambda: figures.weight_paths(X, Y, {"p": [[1, 2, 3]]}), "path 'p' has shape (1, 3)"),
        (lambda: figures.bound_comparison([1], [2, 3], [4]), "same length"),
        (lambda: figures.line_1d([0, 1], {"f": [1]}), "2 values"),
        (lambda: figures.bars(["a"], [1, 2], "n"), "1 names for 2 bars"),
    ],
)
def test_wrong_data_are_told_in_one_sentence(draw, says):
    with pytest.raises(CourseError) as caught:
        draw()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_plot_carries_its_sentence_everywhere():
    plot = figures.Plot(figures.points(X, Y).figure, 'Points "a" & <b>.')
    data, metadata = plot._repr_mimebundle_(include=None, exclude=None)
    assert data["text/plain"] == repr(plot) == plot.alt
    assert 'alt="Points &quot;a&quot; &amp; &lt;b&gt;."' in data["text/html"]
    assert "http" not in data["text/html"]
    assert metadata["image/png"]["alt"] == plot.alt
    assert base64.b64decode(data["image/png"]) == plot.png()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plots_can_be_saved(tmp_path, ending):
    figures.points(X, Y).save(tmp_path / f"plot.{ending}")
    assert (tmp_path / f"plot.{ending}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("name", "says"), [("plot.xyz", "end in .png"), ("no/such/folder.png", "cannot be written")]
)
def test_saving_fails_in_one_sentence(tmp_path, name, says):
    with pytest.raises(CourseError, match=says):
        figures.points(X, Y).save(tmp_path / name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-0.0, "0"),
        (-2.5, "−2.5"),
        (3.6008164, "3.6"),
        (25825.4, "25,825"),
        (1.5e7, "1.50e7"),
        (4.44e-16, "4.44e−16"),
        (np.inf, "infinity"),
        (np.nan, "not a number"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text
