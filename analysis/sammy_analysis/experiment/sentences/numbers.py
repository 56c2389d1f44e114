"""The notation of numbers in sentences: percentages, amounts in a metric's unit, intervals and days.

All modules of this package, the page and the printed output call this module, which must not interpret the numbers.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ..estimators.appendix_b import Interval
from ..reading.schema import unit

#: The maximum number of decimals of a percentage, because smaller shares are rounding errors.
MOST_DIGITS = 7


@dataclass(frozen=True)
class Amount(Interval):
    """An interval in a metric's unit, for a metric whose mean without the treatment is 0 or too close to 0 for a
    percentage. All other intervals in sentences are shares."""

    unit: str = ""

    def format(self, value: float) -> str:
        """Formats a change, such as +0.94 s."""
        sign = "−" if value < 0 else "+"
        return f"{sign}{significant(abs(value), 3)} {self.unit}".rstrip()


def bounded_interval(share: Interval | None, effect: Interval | None, metric: str) -> Interval | None:
    """Returns the share if both of its ends are known, otherwise the effect in the metric's unit if its ends are known,
    otherwise the share."""
    if share is not None and np.isfinite([share.low, share.high]).all():
        return share
    if effect is None or not np.isfinite([effect.low, effect.high]).all():
        return share
    of_metric = unit(metric)
    return Amount(**vars(effect), unit="percentage points" if of_metric == "%" else of_metric)


def significant(value: float, digits: int) -> str:
    """Formats a finite value with a number of significant digits, and without an exponent."""
    return f"{float(f'{value:.{digits}g}'):,.{MOST_DIGITS + 2}f}".rstrip("0").rstrip(".")


def percent(value: float) -> str:
    """Formats a percentage with one decimal, or as many as the first nonzero digit of a small change needs."""
    size = abs(100 * value)
    if size < 0.5 * 10**-MOST_DIGITS:
        return "+0.0%"
    digits = min(int(np.ceil(-np.log10(size))), MOST_DIGITS) if size < 0.05 else 1
    return f"{100 * value:+.{digits}f}%".replace("-", "−")


def format_value(interval: Interval, value: float) -> str:
    """Formats a value in the unit of an interval."""
    return interval.format(value) if isinstance(interval, Amount) else percent(value)


def format_size(interval: Interval, size: float) -> str:
    """Formats a size without a sign, with two digits, in the unit of an interval."""
    if isinstance(interval, Amount):
        return f"{significant(size, 2)} {interval.unit}".rstrip()
    return f"{significant(100 * size, 2)}%"


def span(interval: Interval, word: str = "to") -> str:
    low, high = (format_value(interval, end) for end in (interval.low, interval.high))
    return f"{low} {word} {high}".replace("−inf%", "−∞").replace("+inf%", "+∞")


def says(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"no clear change ({span(interval)})"
    return describe_change(interval)


def describe_change(interval: Interval | None) -> str:
    return "" if interval is None else f"{format_value(interval, interval.estimate)} ({span(interval)})"


def format_day(day: int) -> str:
    """Formats a day since 1970."""
    return f"{datetime.fromtimestamp(day * 86400, UTC):%d %B}".lstrip("0")
