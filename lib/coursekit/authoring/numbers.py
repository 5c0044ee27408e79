"""Numbers as a text prints them: found, read, and compared with computed values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_DIGITS = r"\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_POWER = r"\^\s*\{?\s*(?P<{0}>[-−+]?\d+)\s*\}?|(?P<{0}_up>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_NUMBER = re.compile(
    # Not inside a name (w2), an index (x_1), an exponent (x^2) or another number.
    r"(?<![A-Za-z_^\d.])(?<!_\{)(?<!\^\{)(?P<sign>(?<![\w)\]}])[-−+])?"
    r"(?:"
    r"\\[dt]?frac\{(?P<top>\d+)\}\{(?P<bottom>\d+)\}"
    r"|10(?:" + _POWER.replace("{0}", "bare") + r")"
    rf"|(?P<digits>{_DIGITS})"
    r"(?:/(?P<over>\d+)(?![\d.])"
    r"|[eE](?P<e>[-−+]?\d+)"
    r"|\s*(?:\\times|\\cdot|×|·|\*)\s*10(?:" + _POWER.replace("{0}", "times") + r"))?"
    r")(?P<percent>\s?\\?%)?"
)
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹−", "-+0123456789-")
# Parts of a text whose numbers are not statements: code blocks, addresses, references, versions.
_SILENT = re.compile(
    r"^(?P<fence>```|~~~).*?^(?P=fence)"
    r"|\]\([^)]*\)|https?://\S+|\bdoi[:\s]\s*\S+|\b10\.\d{4,}/\S+|\barxiv[:/\s]\s*\S+"
    r"|</?[a-z][^>]*>|\d+(?:\.\d+){2,}",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class Number:
    """A number in a text: its value, half a unit of its last digit (0: exact), and its place.

    `significant` counts digits, without leading zeros and without the trailing ones of integers.
    """

    value: float
    half_unit: float
    significant: int
    start: int
    end: int
    text: str


def numbers(text: str) -> Iterator[Number]:
    r"""The numbers in a text: `2,307`, `-0.5`, `1e-12`, `3 \times 10^{4}`, `4/3`, `5 %`."""
    for match in _NUMBER.finditer(text):
        yield _number(match)


def _power(match: re.Match[str], name: str) -> int:
    return int((match[name] or match[f"{name}_up"] or "0").translate(_SUPERSCRIPTS))


def _number(match: re.Match[str]) -> Number:
    plain = re.sub(r"[^\d.]", "", match["digits"] or match["top"] or "1")
    exponent = _power(match, "bare") + _power(match, "times")
    exponent += int((match["e"] or "0").translate(_SUPERSCRIPTS))
    exponent -= 2 if match["percent"] else 0
    decimals = len(plain.partition(".")[2])
    divisor = int(match["over"] or match["bottom"] or 1)
    sign = -1.0 if match["sign"] in ("-", "−") else 1.0
    value = sign * float(f"{plain}e{exponent}") / divisor
    whole = not decimals and exponent >= 0
    half_unit = 0.0 if whole or divisor != 1 else 0.5 * 10.0 ** (exponent - decimals)
    start = match.start() + len(match["sign"] or "")
    significant = max(_significant(plain), _significant(str(divisor)))
    return Number(value, half_unit, significant, start, match.end(), match[0].strip())


def _significant(digits: str) -> int:
    if "." in digits:
        return len(digits.replace(".", "").lstrip("0"))
    return len(digits.strip("0"))


def stated(markdown: str) -> Iterator[Number]:
    """The numbers of a markdown cell that need a proof: three digits or more, and not a year."""
    spoken = _SILENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), markdown)
    for number in numbers(spoken):
        year = re.fullmatch(r"(19|20)\d\d", number.text.lstrip("+-−"))
        if number.significant >= 3 and not year:
            yield number


def flat(value: Any) -> list[float] | None:
    """The numbers in a value and its lists, in order; None where there is anything else."""
    if isinstance(value, bool | int | float):
        return [float(value)]
    if not isinstance(value, list):
        return None
    parts = [flat(item) for item in value]
    return None if None in parts else [x for part in parts if part is not None for x in part]


def agrees(
    number: Number, value: float, rel: float | None = None, abs: float | None = None
) -> bool:
    """Whether `value` prints as `number`, or lies within a relative or absolute tolerance."""
    gap = (value - number.value) if value >= number.value else (number.value - value)
    size = max(number.value, -number.value)
    if rel is None and abs is None:
        # The last term allows for rounding errors in the computed value itself.
        return gap <= number.half_unit + 1e-9 * (
            size if number.half_unit == 0 else number.half_unit
        )
    return gap <= max((rel or 0.0) * size, abs or 0.0)
