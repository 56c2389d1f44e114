"""The notation of numbers in sentences: percentages, intervals and days.

All modules of this package, the page and the printed output call this module, which must not interpret the numbers.
"""

from datetime import UTC, datetime

import numpy as np

from ..estimators.appendix_b import Interval

#: The maximum number of decimals of a percentage, because smaller shares are rounding errors.
MOST_DIGITS = 7


def percent(value: float) -> str:
    """Formats a percentage with one decimal, or as many as the first nonzero digit of a small change needs."""
    size = abs(100 * value)
    if size < 0.5 * 10**-MOST_DIGITS:
        return "+0.0%"
    digits = min(int(np.ceil(-np.log10(size))), MOST_DIGITS) if size < 0.05 else 1
    return f"{100 * value:+.{digits}f}%".replace("-", "−")


def span(interval: Interval, word: str = "to") -> str:
    return f"{percent(interval.low)} {word} {percent(interval.high)}".replace("−inf%", "−∞").replace(
        "+inf%", "+∞"
    )


def says(interval: Interval) -> str:
    if not interval.excludes_zero():
        return f"no clear change ({span(interval)})"
    return describe_change(interval)


def describe_change(interval: Interval | None) -> str:
    return "" if interval is None else f"{percent(interval.estimate)} ({span(interval)})"


def format_day(day: int) -> str:
    """Formats a day since 1970."""
    return f"{datetime.fromtimestamp(day * 86400, UTC):%d %B}".lstrip("0")
