"""Explorers: redrawing, failing politely, and standing still where no widget runs."""

import html
import re

import ipywidgets as widgets
import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from coursekit import explorers, figures
from coursekit.data import blobs
from coursekit.errors import CourseError
from coursekit.explorers import choice, explore, slider, toggle

X, Y = blobs()


@pytest.fixture
def drawn():
    """The values that the drawing function was called with."""
    return []


@pytest.fixture
def explorer(drawn):
    def draw(slope, data, flip):
        drawn.append((slope, data, flip))
        if slope == 3:
            raise ZeroDivisionError("division by zero")
        return figures.decision_boundary(X, Y, [-1 if flip else 1, slope], 0, title=data)

    return explore(
        draw,
        slope=slider("slope", 0, 4),
        data=choice("data", ["clouds", "XOR"]),
        flip=toggle("turn around"),
    )


def test_controls_start_where_they_are_told():
    assert slider("n", 1, 5).value == 1
    assert slider("n", 1, 5, value=3).value == 3
    assert choice("data", ["a", "b"]).value == "a"
    assert choice("data", ["a", "b"], value="b").value == "b"
    assert toggle("on", value=True).value is True


def test_whole_sliders_give_whole_numbers():
    assert isinstance(slider("n", 0, 5).value, int)
    assert isinstance(slider("rate", 0, 1, 0.05).value, float)
    assert isinstance(slider("rate", 0, 1, value=0.5).value, float)


def test_slow_pictures_wait_for_the_slider():
    assert slider("n", 0, 5).continuous_update
    assert not slider("n", 0, 5, live=False).continuous_update


@pytest.mark.parametrize(
    "make",
    [
        lambda: slider("n", 5, 1),
        lambda: slider("n", 0, 1, step=0),
        lambda: slider("n", 0, 1, value=2),
        lambda: choice("data", []),
        lambda: choice("data", ["a"], value="z"),
    ],
)
def test_impossible_controls_are_refused_in_one_sentence(make):
    with pytest.raises(CourseError, match=r"^The (slider|menu) '(n|data)' .*\.$"):
        make()


def test_controls_above_picture_above_sentence(explorer):
    row, picture, sentence = explorer.children
    assert [type(control) for control in row.children] == [
        widgets.IntSlider,
        widgets.Dropdown,
        widgets.Checkbox,
    ]
    assert [control.description for control in row.children] == ["slope", "data", "turn around"]
    assert 'alt="The line x₁ = 0; 3 of 100 points on the wrong side."' in picture.value
    assert sentence.value == "The line x₁ = 0; 3 of 100 points on the wrong side."


def test_moving_a_control_redraws(explorer):
    before = explorer.show()
    after = explorer.show(slope=1)
    assert before != after
    assert "<p>The line x₁ + x₂ = 0; 0 of 100 points on the wrong side.</p>" in after
    assert "The line −x₁ + x₂ = 0" in explorer.show(flip=True)


def test_going_back_draws_nothing_anew(explorer, drawn):
    first = explorer.show()
    explorer.show(slope=2)
    assert explorer.show(slope=0) == first
    assert [slope for slope, _, _ in drawn] == [0, 2]


def test_running_another_cell_forgets_old_pictures(explorer, drawn, monkeypatch):
    class Shell:
        execution_count = 7

    explorer.show(slope=2)
    monkeypatch.setattr(explorers, "get_ipython", lambda: Shell)
    explorer.show(slope=0)
    assert [slope for slope, _, _ in drawn] == [0, 2, 0]


def test_a_failure_is_one_sentence_and_passes(explorer):
    shown = explorer.show(slope=3)
    assert "There is no picture for these settings (ZeroDivisionError: division by zero)." in shown
    assert "Traceback" not in shown
    assert "image/png" not in shown
    assert "The line x₁ + 4 x₂ = 0" in explorer.show(slope=4)


def test_it_wakes_up_when_the_exercise_is_solved():
    solved = []

    def draw(n):
        if not solved:
            raise NotImplementedError("Not attempted yet: replace this line with your code.")
        return figures.mistakes_per_epoch([n, 0])

    sleeper = explore(draw, n=slider("n", 1, 9))
    assert "wakes up once the exercises above are solved" in sleeper.show()
    solved.append(True)
    assert "Mistakes per epoch, 2 and 0" in sleeper.show(n=2)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda n: None, "draw returned NoneType, not a plot"),
        (lambda n: figures.points([], []), "X has shape (0,)"),
        (lambda n: {}["<b>"], "KeyError: &#x27;&lt;b&gt;&#x27;"),
    ],
)
def test_what_else_can_go_wrong(draw, says):
    assert says in explore(draw, n=slider("n", 1, 9)).show()


def test_the_first_picture_stands_in_where_no_widget_runs(explorer):
    explorer.show(slope=1)
    data, metadata = explorer._repr_mimebundle_()
    first = "The line x₁ = 0; 3 of 100 points on the wrong side."
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert data["text/plain"] == metadata["image/png"]["alt"] == first
    assert data["text/html"].count(first) == 2
    assert "onload" not in data["text/html"]
    assert data["image/png"].startswith("iVBOR")


def test_a_sleeping_explorer_stands_in_as_a_sentence():
    def draw(n):
        raise NotImplementedError

    data, _ = explore(draw, n=slider("n", 1, 9))._repr_mimebundle_()
    assert "image/png" not in data
    assert data["text/plain"] == explorers.ASLEEP
    assert data["text/html"] == f"<p>{html.escape(explorers.ASLEEP)}</p>"


@pytest.fixture(scope="module")
def executed():
    """A notebook with one explorer, run in a kernel."""
    code = """from coursekit import figures
from coursekit.explorers import explore, slider
explore(lambda n: figures.mistakes_per_epoch([n, 0]), n=slider("n", 2, 9))"""
    notebook = new_notebook(cells=[new_code_cell(code)])
    return NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()


def test_a_run_in_a_kernel_leaves_the_picture_and_no_noise(executed):
    [output] = executed.cells[0].outputs
    assert output.output_type == "execute_result"
    nbformat.validate(executed)
    assert output.data["text/plain"] == "Mistakes per epoch, 2 and 0 (2 in all)."


@pytest.mark.parametrize("template", ["lab", "classic"])
def test_an_exported_page_shows_the_picture_without_widgets(executed, template):
    page, _ = HTMLExporter(template_name=template).from_notebook_node(executed)
    body = page[page.index("<body") :]
    assert 'alt="Mistakes per epoch, 2 and 0 (2 in all)."' in body
    assert "data:image/png;base64," in body
    assert "widget-view+json" not in body
    assert not re.search(r'<script[^>]*src="http[^"]*(widget|html-manager)', page)
