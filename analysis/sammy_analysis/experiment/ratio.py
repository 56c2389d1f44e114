"""The interval of a change in % where what it is a share of is estimated as well.

Fieller's interval ("Some problems in interval estimation", J. Royal Statistical Society B 16(2), 1954) holds every share of
which the days do not say that the effect less this share of the level is not 0. A noisy level makes it wide, and without an
end where the level may be 0. A change excludes 0 as a share just where it does so in the metric's unit.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from .appendix_b import ROUNDING, Interval
from .problem import Problem

#: Beyond a change by so many times the level the interval is without an end.
MOST = 1e6


def share_of(effect_less: Callable[[float], Interval], level: float) -> Interval:
    """The interval of an effect as a share of the size of `level`, which is the estimate of the level.

    `effect_less(share)` is the interval of the effect less this share of the level's size.
    """
    whole = effect_less(0.0)
    size = abs(level)
    if size == 0:
        raise Problem("without the treatment it is 0 on average, so that there is no percentage")
    # What comes from rounding is no change.
    rounding = ROUNDING * size
    if max(abs(whole.estimate), abs(whole.low), abs(whole.high)) <= rounding:
        return Interval(0.0, 0.0, 0.0, 0.0, whole.basis, whole.p)
    estimate = whole.estimate / size
    low = _end(lambda share: effect_less(share).low, estimate, (whole.low - whole.estimate) / size)
    high = _end(lambda share: effect_less(share).high, estimate, (whole.high - whole.estimate) / size)
    return Interval(estimate, low, high, None if whole.se is None else whole.se / size, whole.basis, whole.p)


def _end(of: Callable[[float], float], estimate: float, reach: float) -> float:
    """Where the end of the effect less a share crosses 0; `reach` is how far from the estimate that is of an exact level."""
    if not np.isfinite(reach):
        return reach
    if abs(reach) <= ROUNDING:
        return estimate + reach
    inner, outer = estimate, estimate + reach
    # Below the low end the effect is above 0, beyond the high end below.
    sign = -np.sign(reach)
    while sign * of(outer) < 0:
        inner, outer = outer, estimate + 1.5 * (outer - estimate)
        if abs(outer) > MOST:
            return float(np.sign(reach) * np.inf)
    if sign * of(inner) > 0:
        inner = estimate
    return float(brentq(of, *sorted((inner, outer)), xtol=1e-12, rtol=1e-10))
