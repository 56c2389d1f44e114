"""A step in a series of days that hang together: what changed with an experiment, where yesterday says something of today.

A day's value is a level, the step on the days of the experiment, an effect of the weekend (of each day of the week where the
days are many), and noise of which a day's has the correlation rho^k with that k days later. Nobody knows rho, and a dozen days
hardly tell independent days (0) from a wandering level (1). So the interval is the union of the exact t intervals by generalized
least squares over all rho that the days do not contradict, by an exact test: Dufour (1990), "Exact tests and confidence sets
in linear regressions with autocorrelated errors", Econometrica 58(2). A rho is contradicted where the days look independent
rather than that: the point-optimal invariant test against rho = 0 of King (1980), "Robust tests for spherical symmetry",
Annals of Statistics 8(6). Both errors together are at most 5% (Bonferroni).

With many calm days the union shrinks to nearly the t interval of independent days; with few it is some three times as wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from .appendix_b import ROUNDING, Interval
from .problem import Problem

#: Correlations of successive days that are tried. At 0.99 a level wanders, as far as some weeks can tell.
RHOS = np.array([0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
#: The chance that the true rho is not in the union; the t intervals have the rest of the 5%.
OF_RHO = 0.015
#: Of the test of rho: simulated experiments for its critical values.
DRAWS = 4000
#: From so many days on every day of the week has an effect of its own; of fewer the weekend.
DAYS_OF_WEEKDAYS = 42
LEAST_FREEDOM = 2
#: Of plans: so many draws, and the share of experiments that is to show an effect.
PLANS = 1200
POWER = 0.8


@dataclass(frozen=True)
class Noise:
    """How days vary: the likeliest rho (by restricted likelihood), and the standard deviation."""

    rho: float
    size: float


@dataclass(frozen=True)
class Step:
    interval: Interval
    #: The same if a steady trend may be in the days as well, of 90%; None where the days are too few for both.
    with_trend: Interval | None
    noise: Noise | None = None

    def excludes_zero(self) -> bool:
        """Also where a trend as large as the days allow is not ruled out: an equivalence bound of what drift can explain.

        A trend moves the interval to one side, and it is that side that 5% of trends may seem to exceed.
        """
        either = (self.interval, self.with_trend)
        return any(all(i is not None and side(i) for i in either) for side in (_above, _below))


def _above(interval: Interval) -> bool:
    return interval.low > 0


def _below(interval: Interval) -> bool:
    return interval.high < 0


def step(days: Sequence[int], after: Sequence[float], values: np.ndarray) -> Step:
    """The step of `values` by day (since 1970); `after` is 1 on days of the experiment, 0 on others, or a share of it.

    Raises a Problem where the days do not tell it.
    """
    design = design_of(tuple(map(int, days)), tuple(map(float, after)), trend=False)
    try:
        with_trend = design_of(design.days, design.after, trend=True).interval(values)
    except Problem:
        with_trend = None
    return Step(design.interval(values), with_trend, design.noise(values))


def excluding_zero(days: Sequence[int], after: Sequence[float], values: np.ndarray) -> np.ndarray:
    """Of many series, a row each, which have a step by `Step.excludes_zero`."""
    designs = [design_of(tuple(map(int, days)), tuple(map(float, after)), trend) for trend in (False, True)]
    ends = [design.intervals(values)[:2] for design in designs]
    return np.logical_and.reduce([low > 0 for low, _ in ends]) | np.logical_and.reduce(
        [high < 0 for _, high in ends]
    )


@dataclass(frozen=True)
class Detectable:
    """The step that four of five experiments show, and that they show at worst."""

    typical: float
    at_worst: float


def detectable(
    seen: Sequence[int], values: np.ndarray, days: Sequence[int], after: Sequence[float]
) -> Detectable:
    """Of an experiment of these `days`, where days vary as the `values` of those that were seen.

    A few days tell neither how much days vary nor how they hang together. So both are drawn as the seen days leave them open (by
    restricted likelihood, with every rho as likely before), and the step is shown by four of five experiments over these draws:
    promised with the likeliest values it would be shown by fewer. At worst: by four of five in all but 5% of the draws.
    """
    of_seen = _mean_of(tuple(map(int, seen)))
    squares = np.array([_squares(values[None], residual)[0] for residual in of_seen.residuals])
    if not (squares > 0).all():
        return Detectable(0.0, 0.0)
    fits = -(np.array(of_seen.logs) + of_seen.freedom / 2 * np.log(squares))
    likely = np.exp(fits - fits.max())
    random = np.random.default_rng(1)
    which = random.choice(len(RHOS), size=PLANS, p=likely / likely.sum())
    sizes = np.sqrt(squares[which] / random.chisquare(of_seen.freedom, size=PLANS))
    shown = _shown_from(tuple(map(int, days)), tuple(map(float, after)))
    needed = sizes * shown[which, random.integers(shown.shape[1], size=PLANS)]
    each = sizes * np.quantile(shown, POWER, axis=1)[which]
    return Detectable(float(np.quantile(needed, POWER)), float(np.quantile(each, 0.95)))


@lru_cache(maxsize=64)
def _mean_of(days: tuple[int, ...]) -> "Design":
    """The days before an experiment, which have no step."""
    return Design(days, None, trend=False)


@lru_cache(maxsize=64)
def _shown_from(days: tuple[int, ...], after: tuple[float, ...]) -> np.ndarray:
    """By rho, of simulated experiments whose days have a standard deviation of 1: from which step on each shows it."""
    designs = [design_of(days, after, trend) for trend in (False, True)]
    apart = np.abs(np.subtract.outer(days, days))
    drawn = np.random.default_rng(2).normal(size=(PLANS // 4, len(days)))
    return np.array(
        [
            np.max(
                [-design.intervals(drawn @ np.linalg.cholesky(rho**apart).T)[0] for design in designs], axis=0
            )
            for rho in RHOS
        ]
    )


def reach(noise: Noise, days: int) -> float:
    """The change from which on so many days before and so many of an experiment show it, where days vary so: in the middle of
    simulated experiments, half the length of the interval in which a trend may be."""
    return noise.size * _unit_reach(noise.rho, days)


@lru_cache
def _unit_reach(rho: float, days: int) -> float:
    every = np.arange(2 * days)
    design = design_of(tuple(every.tolist()), tuple((every >= days).astype(float).tolist()), trend=True)
    root = np.linalg.cholesky(rho ** np.abs(np.subtract.outer(every, every)))
    low, high, _ = design.intervals(np.random.default_rng(1).normal(size=(200, 2 * days)) @ root.T)
    return float(np.median(high - low) / 2)


@lru_cache(maxsize=64)
def design_of(days: tuple[int, ...], after: tuple[float, ...], trend: bool) -> "Design":
    return Design(days, after, trend)


class Design:
    """What the days alone determine, so that it is computed once for all metrics and for thousands of simulations."""

    def __init__(self, days: tuple[int, ...], after: tuple[float, ...] | None, trend: bool) -> None:
        self.days, self.after = days, after
        self.sides = 1 if trend else 2
        columns = _columns(np.array(days), None if after is None else np.array(after), trend)
        self.freedom = len(days) - columns.shape[1]
        if self.freedom < LEAST_FREEDOM:
            raise Problem(
                f"{len(days)} days are too few for a step between them, where yesterday says something of today"
            )
        apart = np.abs(np.subtract.outer(days, days))
        self.contrasts, self.norms, self.residuals, self.logs, roots = [], [], [], [], []
        for rho in RHOS:
            covariance = rho**apart
            root = np.linalg.cholesky(covariance)
            precision = np.linalg.inv(covariance)
            norm = np.linalg.inv(columns.T @ precision @ columns)
            fit = norm @ columns.T @ precision
            self.contrasts.append(fit[-1 if after is None else 1])
            self.norms.append(norm[0, 0] if after is None else norm[1, 1])
            self.residuals.append(precision - precision @ columns @ fit)
            roots.append(root)
            self.logs.append(np.log(np.diag(root)).sum() - np.linalg.slogdet(norm)[1] / 2)
        random = np.random.default_rng(1)
        drawn = random.normal(size=(DRAWS, len(days)))
        self.limits = [0.0] + [
            float(np.quantile(self._independence(drawn @ root.T, which), OF_RHO))
            for which, root in enumerate(roots)
            if which > 0
        ]

    def _independence(self, values: np.ndarray, which: int) -> np.ndarray:
        """How badly independence fits each series beside a rho; small where the days look independent."""
        return _squares(values, self.residuals[0]) / _squares(values, self.residuals[which])

    def intervals(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The low ends, high ends and p-values of many series, a row each: of 95%, or of 95% to one side with a trend."""
        low, high = np.full(len(values), np.inf), np.full(len(values), -np.inf)
        p = np.zeros(len(values))
        quantile = stats.t.ppf(1 - (0.05 - OF_RHO) / self.sides, self.freedom)
        independent = _squares(values, self.residuals[0])
        for which, (contrast, norm, residual) in enumerate(
            zip(self.contrasts, self.norms, self.residuals, strict=True)
        ):
            squares = independent if which == 0 else _squares(values, residual)
            possible = independent >= self.limits[which] * squares
            estimate, se = values @ contrast, np.sqrt(norm * squares / self.freedom)
            low = np.where(possible, np.minimum(low, estimate - quantile * se), low)
            high = np.where(possible, np.maximum(high, estimate + quantile * se), high)
            with np.errstate(divide="ignore", invalid="ignore"):
                own = self.sides * stats.t.sf(np.abs(estimate) / se, self.freedom)
            p = np.where(possible, np.fmax(p, own), p)
        return low, high, np.minimum(p + OF_RHO, 1.0)

    def noise(self, values: np.ndarray) -> Noise | None:
        """None where there is none."""
        squares = np.array([_squares(values[None], residual)[0] for residual in self.residuals])
        if not (squares > 0).all():
            return None
        best = int(np.argmin(np.array(self.logs) + self.freedom / 2 * np.log(squares)))
        return Noise(float(RHOS[best]), float(np.sqrt(squares[best] / self.freedom)))

    def interval(self, values: np.ndarray) -> Interval:
        values = np.asarray(values, dtype=float)
        estimate = float(values @ self.contrasts[0])
        first = sum(share > 0.5 for share in self.after)
        basis = f"{first} and {len(self.after) - first} days that hang together"
        spread = float(np.sqrt(max(_squares(values[None], self.residuals[0])[0], 0.0)))
        if spread <= ROUNDING * np.abs(values).max():
            still = abs(estimate) <= ROUNDING * np.abs(values).max()
            return Interval(estimate, estimate, estimate, 0.0, basis, 1.0 if still else 0.0)
        low, high, p = (float(each[0]) for each in self.intervals(values[None]))
        return Interval(estimate, low, high, None, basis, p)


def _columns(days: np.ndarray, after: np.ndarray | None, trend: bool) -> np.ndarray:
    """Level, step, effects of the week and a trend. Raises a Problem where these others determine the step."""
    weekday = (days + 3) % 7
    kinds = weekday if len(days) >= DAYS_OF_WEEKDAYS else weekday >= 5
    week = [(kinds == kind).astype(float) for kind in np.unique(kinds)[1:]]
    others = [np.ones(len(days)), *week, *([(days - days.mean()) / len(days)] if trend else [])]
    columns = np.column_stack(others if after is None else [others[0], after, *others[1:]])
    if np.linalg.matrix_rank(columns) < columns.shape[1]:
        raise Problem(
            "the days of the experiment and the others are not of the same days of the week, so that nothing can be compared"
        )
    return columns


def _squares(values: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """v'Mv of each row."""
    return np.maximum(np.einsum("ij,ij->i", values @ matrix, values), 0.0)
