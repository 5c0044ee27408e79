"""Numbers are read from text as people print them."""

from __future__ import annotations

import pytest

from coursekit.authoring.numbers import agrees, flat, numbers, stated


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2,307 against 15", [2307, 15]),
        ("$2{,}307$ and $2\\,307$", [2307, 2307]),
        ("[2, 0]", [2, 0]),
        ("[4,4,4,4]", [4, 4, 4, 4]),
        ("w = [3.6008164, -3.06362926]", [3.6008164, -3.06362926]),
        ("b = −0.5", [-0.5]),
        ("below 1e-12", [1e-12]),
        ("$10^{-12}$ or 10⁻¹² or 10^-12", [1e-12] * 3),
        ("$3.2 \\times 10^{4}$, 3.2 × 10⁴, 3.2 \\cdot 10^4", [32000] * 3),
        ("4/3 or $\\tfrac{1}{2}$", [4 / 3, 0.5]),
        ("98.5 % and 5\\%", [0.985, 0.05]),
        ("w2, x_1, x^2, x_{10}, x^{3}, float64", []),
        ("7-3", [7, 3]),
        (".5 is a half.", [0.5]),
        ("(R/γ)² = 89.4", [89.4]),
    ],
)
def test_numbers_are_found(text, values):
    assert [n.value for n in numbers(text)] == pytest.approx(values, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("2,307", 2307, True),
        ("2,307", 2307.4, False),
        ("3", 3.2, False),
        ("89.4", 89.449, True),
        ("89.4", 89.46, False),
        ("3.6008164", 3.60081641, True),
        ("0.25", 0.255, True),
        ("3.21e-11", 3.2143e-11, True),
        ("3.21e-11", 3.22e-11, False),
        ("4/3", 1.3333333333333, True),
        ("4/3", 1.333, False),
        ("98.5 %", 0.9853, True),
        ("5 %", 0.053, True),
        ("5 %", 0.056, False),
        ("-0.5", 0.5, False),
    ],
)
def test_a_value_agrees_to_the_digits_printed(text, value, right):
    (number,) = numbers(text)
    assert agrees(number, value) is right


def test_a_tolerance_replaces_the_digits():
    (number,) = numbers("about 90")
    assert agrees(number, 89.4, abs=1) and agrees(number, 89.4, rel=0.01)
    assert not agrees(number, 88.4, abs=1) and not agrees(number, 90.001, abs=0.0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("loss 0.5631 and 2,307", ["0.5631", "2,307"]),
        ("`w = 3.600` and $r = 5.229$", ["3.600", "5.229"]),
        ("1000 epochs, 100 points, 0.5, 12, 1e-12, 0.05", []),
        ("Rosenblatt (1958), 2,024 and 2025", ["2,024"]),
        ("```\n0.5631\n```\nthen 1.234\n~~~\n5.678\n~~~", ["1.234"]),
        ("[here](https://example.org/1.2345) and https://example.org/98765", []),
        ("doi:10.1007/12345 and 10.1038/nature14539, arXiv:1502.01852", []),
        ('<img width="645" alt="x"> 645', ["645"]),
        ("version 2.13.0", []),
        ("x_{123}", []),
    ],
)
def test_numbers_that_need_a_proof(text, found):
    assert [n.text for n in stated(text)] == found


def test_values_are_flattened():
    assert flat([1, [2.5, True]]) == [1, 2.5, 1]
    assert flat(3) == [3] and flat("3") is None and flat([1, None]) is None
