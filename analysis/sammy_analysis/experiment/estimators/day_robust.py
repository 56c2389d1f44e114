"""Intervals that are valid even if whole days differ.

Appendix B (appendix_b.py) assumes that hours more than two apart are independent. If whole days differ (demand, a
popular video), its interval is too short. Here, one observation is a day, or a window of a switchback. steps/step.py
computes changes between periods.
"""

import itertools
from functools import lru_cache
from math import comb

import numpy as np
from scipy import special

from ..problem import Problem
from .appendix_b import Interval

#: Maximum number of assignments in a randomization test. If there are more, a sample of them is used.
MOST_ASSIGNMENTS = 20_000
#: The variance of a series of days is estimated from at least this many cosine waves: a week of 7 days has 7 - 1.
LEAST_WAVES = 6


def over_days(differences: np.ndarray) -> Interval:
    """Returns the interval for the mean of the daily differences of treated and control at the same time: see
    `means_over_days`."""
    estimate, se, freedom = (np.asarray(each).item() for each in means_over_days(differences[None]))
    reach = float(special.stdtrit(freedom, 0.975)) * se
    basis = f"{len(differences)} days"
    return Interval(estimate, estimate - reach, estimate + reach, se, basis, _p_value(estimate, se, freedom))


def means_over_days(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Returns the means of series of days (one per row), their standard errors, and the degrees of freedom of Student's
    t.

    The mean contains variation that lasts for days. Therefore the variance is estimated only from the slowest waves of
    a series: equally weighted cosines (Lazarus, Lewis, Stock and Watson, "HAR inference: recommendations for practice",
    J. Business & Economic Statistics 36(4), 2018). For a week or less, all waves are used, which gives Student's t
    interval of independent days.
    """
    days = differences.shape[1]
    if days < 2:
        raise Problem("a single day says nothing about how days differ; at least two are needed")
    waves = min(days - 1, max(LEAST_WAVES, round(0.4 * days ** (2 / 3))))
    means = differences.mean(axis=1)
    loads = (differences - means[:, None]) @ _cosines(days, waves).T
    return means, np.sqrt((loads**2).mean(axis=1) / days), waves


@lru_cache
def _cosines(days: int, waves: int) -> np.ndarray:
    at = np.pi * np.outer(np.arange(1, waves + 1), np.arange(days) + 0.5) / days
    return np.sqrt(2 / days) * np.cos(at)


def _p_value(mean: float, se: float, freedom: float) -> float:
    """Returns the two-sided p-value of Student's t."""
    if se == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * special.stdtr(freedom, -abs(mean) / se))


def between_days(treated: np.ndarray, control: np.ndarray) -> Interval:
    """Returns Welch's t interval for the difference of the means of treated and of untreated days."""
    if len(treated) < 2 or len(control) < 2:
        raise Problem("at least two days with the treatment and two without are needed")
    mean = float(np.mean(treated) - np.mean(control))
    parts = [np.var(each, ddof=1) / len(each) for each in (treated, control)]
    se = float(np.sqrt(sum(parts)))
    basis = f"{len(treated)} and {len(control)} days"
    if se == 0:
        return Interval(mean, mean, mean, 0.0, basis, _p_value(mean, 0, 1))
    freedom = sum(parts) ** 2 / sum(
        p**2 / (len(x) - 1) for p, x in zip(parts, (treated, control), strict=True)
    )
    reach = float(special.stdtrit(freedom, 0.975)) * se
    return Interval(mean, mean - reach, mean + reach, se, basis, _p_value(mean, se, freedom))


def by_randomisation(
    z: np.ndarray,
    treated: np.ndarray,
    hour_of_day: np.ndarray,
    window: np.ndarray,
    pair: np.ndarray | None = None,
    unit: np.ndarray | None = None,
    weight: np.ndarray | None = None,
    seed: int = 1,
) -> Interval:
    """Computes the interval of a switchback by inverting Fisher's randomization test.

    All assignments with the same number of treated windows are equally likely. If one window of each `pair` was drawn, as an
    edge does, the possible assignments are those with swapped pairs. If the effect is d, z less d in treated rows has no effect,
    and its coefficient is equally likely to be that of any assignment. The interval holds every d that more than 5% of the
    assignments do not contradict.

    Let b be the coefficient of z in the real assignment, b' the one in another assignment, and a' that of the real arm in the
    other assignment. This does not contradict d if |b' - d a'| >= |b - d|, so if d is between (b - b') / (1 - a') and
    (b + b') / (1 + a'). The ends of the interval are quantiles of these. Instead of the arm, `unit` can be what an effect of
    1 adds to each row; for an effect as a share of the level, that is minus the level in untreated rows. `weight` are the rows'
    weights in the coefficients, 1 by default.
    """
    names, index = np.unique(window, return_inverse=True)
    arm_of = np.zeros(len(names))
    arm_of[index] = treated
    if pair is None:
        assignments, count = _assignments(arm_of, seed)
    else:
        pair_of = np.zeros(len(names), dtype=int)
        pair_of[index] = np.unique(pair, return_inverse=True)[1]
        assignments, count = _pairs_turned(arm_of, pair_of, seed)
    weight = np.ones(len(z)) if weight is None else weight
    observed = _coefficients(arm_of[None, :], index, hour_of_day, z, weight)[0]
    if np.isnan(observed):
        raise Problem("each hour of the day has sessions of one arm only")
    b = _coefficients(assignments, index, hour_of_day, z, weight)
    added = treated.astype(float) if unit is None else unit
    one = _coefficients(arm_of[None, :], index, hour_of_day, added, weight)[0]
    if not one > 0:
        raise Problem("without the treatment it is 0 on average, so that there is no percentage")
    a = _coefficients(assignments, index, hour_of_day, added, weight) / one
    b, observed = b / one, observed / one
    with np.errstate(divide="ignore", invalid="ignore"):
        lows = np.where(a > 1 - 1e-9, -np.inf, (observed - b) / (1 - a))
        highs = np.where(a < -1 + 1e-9, np.inf, (observed + b) / (1 + a))
        # These assignments contradict no d: the real assignment, its mirror image, and assignments without a
        # coefficient.
        neutral = (np.abs(a) > 1 - 1e-9) | np.isnan(a)
    low = np.where(neutral, -np.inf, np.minimum(lows, highs))
    high = np.where(neutral, np.inf, np.maximum(lows, highs))
    # The low end is the smallest d that more than 5% of the assignments do not contradict.
    rank = int(np.floor(0.05 * len(low) + 1e-9))
    ends = float(np.sort(low)[rank]), float(np.sort(high)[::-1][rank])
    treated_windows = int(arm_of.sum())
    drawn = "" if pair is None else " of pairs"
    basis = f"{len(names)} windows, {treated_windows} treated, {count:,} assignments{drawn}"
    # p is the share of assignments whose coefficient is at least as large as the real one's, or that have none. The
    # mirror image's coefficient equals the real one up to rounding.
    p = float(np.mean(~(np.abs(b) < abs(observed) * (1 - 1e-9))))
    return Interval(float(observed), ends[0], ends[1], None, basis, p)


def _assignments(arm_of: np.ndarray, seed: int) -> tuple[np.ndarray, int]:
    """Returns all assignments with the same number of treated windows, or a sample that includes the real
    assignment. Also returns their number."""
    windows, treated = len(arm_of), int(arm_of.sum())
    if treated in (0, windows):
        raise Problem("a switchback needs windows with the treatment and windows without")
    count = comb(windows, treated)
    if count <= MOST_ASSIGNMENTS:
        rows = np.zeros((count, windows))
        for row, chosen in enumerate(itertools.combinations(range(windows), treated)):
            rows[row, list(chosen)] = 1
        return rows, count
    random = np.random.default_rng(seed)
    rows = random.permuted(np.tile(arm_of, (MOST_ASSIGNMENTS, 1)), axis=1)
    rows[0] = arm_of
    return rows, MOST_ASSIGNMENTS


def _pairs_turned(arm_of: np.ndarray, pair_of: np.ndarray, seed: int) -> tuple[np.ndarray, int]:
    """Returns all assignments in which some pairs of windows are swapped, or a sample of these assignments. The first is
    the real assignment."""
    pairs = int(pair_of.max()) + 1
    if 2**pairs <= MOST_ASSIGNMENTS:
        turned = np.arange(2**pairs)[:, None] >> np.arange(pairs) & 1
    else:
        turned = np.random.default_rng(seed).integers(2, size=(MOST_ASSIGNMENTS, pairs))
        turned[0] = 0
    return np.abs(arm_of - turned[:, pair_of]), len(turned)


def _coefficients(
    arms: np.ndarray, window: np.ndarray, hour_of_day: np.ndarray, values: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """Returns the coefficient of each assignment (a row of `arms`, by window) with fixed effects of the hour of day, by
    weighted least squares.

    NaN if the hours of the day determine the arm.
    """
    hours, hour = np.unique(hour_of_day, return_inverse=True)
    # Sums over the rows of a window suffice. `norm` is the sum of squares of the arm minus its mean in each hour h of the
    # day: with the weight n_wh in window w and hour h, sum_w n_w a_w - sum_h (sum_w n_wh a_w)^2 / n_h.
    cells = np.zeros((arms.shape[1], len(hours)))
    np.add.at(cells, (window, hour), weight)
    means = np.bincount(hour, weights=weight * values) / cells.sum(axis=0)
    sums = np.bincount(window, weights=weight * (values - means[hour]), minlength=arms.shape[1])
    norm = arms @ cells.sum(axis=1) - ((arms @ cells) ** 2 / cells.sum(axis=0)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(norm > 1e-12, (arms @ sums) / norm, np.nan)
