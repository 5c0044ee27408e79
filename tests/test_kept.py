"""Kept pictures are found by their numbers, and by nothing else."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from coursekit import figures
from coursekit.figures import kept

LOSSES = {"a": [3.0, 2.0, 1.0]}


@pytest.fixture
def recorded(monkeypatch):
    """The pictures kept of one plot."""
    monkeypatch.setattr(kept, "pictures", {})
    monkeypatch.setattr(kept, "recording", True)
    plot = figures.loss_curves(LOSSES, title="A loss")
    plot.png()
    monkeypatch.setattr(kept, "recording", False)
    return plot


def test_the_same_numbers_give_the_same_picture_without_drawing(recorded, monkeypatch):
    drawn = []
    monkeypatch.setattr("matplotlib.figure.Figure.draw", lambda *a, **k: drawn.append(1))
    again = figures.loss_curves(LOSSES, title="A loss")
    assert (again.png(), again.alt, again.size) == (recorded.png(), recorded.alt, recorded.size)
    assert again.image() == recorded.image()
    assert not drawn


def test_the_figure_of_a_kept_picture_can_still_be_saved(recorded, tmp_path):
    figures.loss_curves(LOSSES, title="A loss").save(tmp_path / "loss.svg")
    assert "<svg" in (tmp_path / "loss.svg").read_text()


@pytest.mark.parametrize(
    "plot",
    [
        lambda: figures.loss_curves({"a": [3.0, 2.0, 1.5]}, title="A loss"),
        lambda: figures.loss_curves({"b": [3.0, 2.0, 1.0]}, title="A loss"),
        lambda: figures.loss_curves(LOSSES),
        lambda: figures.mistakes_per_epoch(LOSSES, title="A loss"),
    ],
)
def test_other_numbers_names_titles_or_plots_are_drawn(recorded, plot):
    assert plot().png() != recorded.png()


def test_what_is_kept_tells_nothing_to_who_has_not_the_numbers(recorded):
    (body,) = kept.pictures.values()
    assert b"PNG" not in body and recorded.alt.encode() not in body


def test_nothing_is_kept_while_nobody_records(monkeypatch):
    monkeypatch.setattr(kept, "pictures", {})
    figures.loss_curves(LOSSES).png()
    assert kept.pictures == {}


def key(*args, **kwargs):
    return kept.key("f", args, kwargs)


def test_values_of_one_content_have_one_key_and_others_have_others(recorded):
    same = np.arange(3.0)
    assert key(same) == key(same.copy()) == key(torch.arange(3.0, dtype=torch.float64))
    different = [
        key(same), key(same.astype("f4")), key(same[None]), key([0.0, 1.0, 2.0]), key((0.0, 1.0)),
        key([0.0], [1.0]), key([[0.0], 1.0]), key(1), key(1.0), key(True), key("1"), key(None),
        key(a=1), key(b=1), key(),
    ]  # fmt: skip
    assert len(set(different)) == len(different)
    assert all(different)


@pytest.mark.parametrize("value", [lambda: 1, object(), np.array([object()]), {1, 2}])
def test_what_has_no_content_to_compare_has_no_key(recorded, value):
    assert key(value) == key([value]) == b""
