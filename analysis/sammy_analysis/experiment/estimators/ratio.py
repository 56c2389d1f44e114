"""The interval of a change in % whose denominator is also an estimate.

Fieller's interval ("Some problems in interval estimation", J. Royal Statistical Society B 16(2), 1954) contains every share for
which the effect minus this share of the level may be 0. A noisy level makes the interval wide, and unbounded if the level may
be 0. The share's interval excludes 0 if and only if the interval in the metric's unit excludes 0.
"""

from collections.abc import Callable

import numpy as np

from ..problem import Problem
from .appendix_b import ROUNDING, Interval

#: An interval that reaches beyond this multiple of the level is unbounded.
MOST = 1e6
#: The value of an end that is not 0 but closer to 0 than the search can resolve.
LEAST = float(np.finfo(float).tiny)
#: An interval that is narrower than this part of the data's variation has only the width of rounding errors.
NO_WIDTH = 1e-6


def relative_interval(effect_less: Callable[[float], Interval], level: float) -> Interval:
    """Returns the interval of an effect as a share of the absolute value of `level`, which is an estimate.

    `effect_less(share)` returns the interval of the effect minus this share of the absolute level.
    """
    whole = effect_less(0.0)
    size = abs(level)
    if size == 0:
        raise Problem("without the treatment it is 0 on average, so that there is no percentage")
    # Treat rounding errors as no change.
    rounding = ROUNDING * size
    if max(abs(whole.estimate), abs(whole.low), abs(whole.high)) <= rounding:
        return Interval(0.0, 0.0, 0.0, 0.0, whole.basis, whole.p)
    # The estimate is linear in the share, but its slope equals the level only on average, because weekdays or a trend may be
    # subtracted as well.
    of_one = whole.estimate - effect_less(1.0).estimate
    se = None if whole.se is None else whole.se / size
    if of_one <= rounding:
        # The level, as estimated on these days, is not above 0. Any share is then possible.
        return Interval(whole.estimate / size, -np.inf, np.inf, se, whole.basis, whole.p)
    estimate = whole.estimate / of_one
    low, high = (
        _end(effect_less, estimate, (end - whole.estimate) / of_one) for end in (whole.low, whole.high)
    )
    # The search for the ends is inexact, but whether the interval contains 0 is known exactly.
    low = max(low, LEAST) if whole.low > 0 else low
    high = min(high, -LEAST) if whole.high < 0 else high
    return Interval(estimate, low, high, se, whole.basis, whole.p)


def with_spread(share: Interval, effect: Interval, level: float) -> Interval:
    """Returns the share, or the effect over an exactly known level if the metric is 0 in all treated sessions.

    The effect of each day is then minus that day's level, so that the share is -100% on all days, whatever the level. Sessions
    that are all 0 do not tell how rarely others are not. The effect's interval is wide if there were few events without the
    treatment.
    """
    width = (effect.high - effect.low) / abs(level)
    is_certain = share.high - share.low <= NO_WIDTH * width and width > ROUNDING
    nothing_left = abs(share.estimate + np.sign(level)) <= NO_WIDTH
    return effect.over(level) if is_certain and nothing_left else share


def _end(effect_less: Callable[[float], Interval], estimate: float, reach: float) -> float:
    """Finds the share at which the interval of the effect minus that share of the level stops containing 0.

    The search starts at the estimate, in the direction of `reach`, the distance for an exactly known level. The interval may be
    the union of several and jump as the share changes, so the search is by bisection, which only needs a sign change.
    """
    if not np.isfinite(reach):
        return reach
    if abs(reach) <= ROUNDING:
        return estimate + reach

    def holds_zero(share: float) -> bool:
        interval = effect_less(share)
        return interval.low <= 0 <= interval.high

    inner, outer = estimate, estimate + reach
    while holds_zero(outer):
        inner, outer = outer, estimate + 1.5 * (outer - estimate)
        if abs(outer) > MOST:
            return float(np.sign(reach) * np.inf)
    # Stop at the precision that is printed.
    while abs(outer - inner) > 1e-9 * max(abs(outer), abs(reach)):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if holds_zero(middle) else (inner, middle)
    return inner
