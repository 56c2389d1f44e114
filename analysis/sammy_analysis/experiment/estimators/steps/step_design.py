"""The estimate of a step on given days: its interval, its evidence and the noise of the days.

step.py, dates.py and power.py call this module. It knows the days of the experiment and of the baseline, but must not
know which dates or plans are compared.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy import special

from ...problem import Problem
from .. import student
from ..appendix_b import ROUNDING, Interval
from .processes import RHOS, make_processes

#: The probability in the two tails outside an interval. In 6,000 experiments without an effect, on random walks with
#: heavy-tailed steps, 0.036 gave a false step in 6.3% (7 days of baseline and 5 of experiment) and 5.7% (14 and 14 days).
#: With 0.03, these are 5.7% and 5.2%.
LEVEL = 0.03
#: With fewer days than this, `LEVEL` is reduced in proportion, because few days do not reveal heavy tails: values that
#: wander in steps of Student's t with 2.5 degrees of freedom gave false steps in 8.2% of experiments of twelve days
#: without this reduction, and in 7.1% with it.
DAYS_OF_LEVEL = 24
#: With at least this many days, each day of the week has its own effect; with fewer, only the weekend has one.
DAYS_OF_WEEKDAYS = 42
#: In `share`, an end beyond this multiple of the step of `unit` counts as infinite.
MOST = 1e6
LEAST_FREEDOM = 2
#: If the sum of squares is smaller than this, the days do not vary.
NOTHING = 1e-300
#: If the sum of squares is smaller than this, days whose largest value is 1 vary only by rounding errors of about
#: 1e-15.
SQUARES_OF_ROUNDING = 1e-13
#: Number of bisection steps for an end of an interval, which make it exact to 1e-12 of the search range.
HALVINGS = 40


@dataclass(frozen=True)
class Noise:
    """The variation of days: the most likely autocorrelation rho (by restricted likelihood) and the standard deviation."""

    rho: float
    size: float


@lru_cache(maxsize=256)
def step_design(days: tuple[int, ...], after: tuple[float, ...]) -> "Design":
    return Design(days, after)


class Design:
    """The part of the computation that depends only on the days. It is done once for all metrics and thousands of
    simulations.

    A day's value is the sum of a level, the step (only on days of the experiment), an effect of the weekend (with many
    days, of each day of the week), and noise. The correlation of the noise is unknown, and a dozen days hardly
    distinguish independent days from a wandering level. Therefore the result is averaged over all processes of
    processes.py. Each process gives a t distribution of the step by generalized least squares, weighted by the
    likelihood of the process (restricted likelihood, without level, step and weekdays).

    The average is calibrated: `LEVEL` is chosen so that the interval excludes a step of 0 in no more than 5% of
    experiments without a step, for days from any of these processes; `coverage` tests that. With many calm days, the
    interval is nearly as short as for independent days.

    Arrays have a row for each process of processes.py.
    """

    def __init__(self, days: tuple[int, ...], after: tuple[float, ...] | None) -> None:
        self.days, self.after = days, after
        columns = _columns(np.array(days), None if after is None else np.array(after))
        self.freedom = len(days) - columns.shape[1]
        self.tail = LEVEL / 2 * min(1.0, len(days) / DAYS_OF_LEVEL)
        if self.freedom < LEAST_FREEDOM or len(set(days)) < len(days):
            raise Problem(
                f"{len(days)} days are too few for a step between them, where yesterday says something of today"
            )
        processes = make_processes(
            np.array(days), np.empty(0) if after is None else find_changes(days, after)
        )
        self.without_trend, self.priors = processes.without_trend, processes.priors
        precisions = np.linalg.inv(processes.covariances)
        norms = np.linalg.inv(columns.T @ precisions @ columns)
        fits = norms @ columns.T @ precisions
        which = 0 if after is None else 1
        self.contrasts = fits[:, which]
        self.norms = norms[:, which, which]
        self.residuals = precisions - precisions @ columns @ fits
        self.logs = (np.linalg.slogdet(processes.covariances)[1] - np.linalg.slogdet(norms)[1]) / 2

    def _squares(self, values: np.ndarray) -> np.ndarray:
        """Returns v'Mv by process, and by row of `values`; never 0, so that the logarithm exists."""
        return np.maximum(np.einsum("rj,kji,ri->kr", values, self.residuals, values, optimize=True), NOTHING)

    def squares_without_trend(self, values: np.ndarray) -> np.ndarray:
        return self._squares(values)[self.without_trend]

    def _likelihoods(self, squares: np.ndarray) -> np.ndarray:
        """Returns the logarithm of prior times likelihood of each process, given the days."""
        return self.priors[:, None] - self.logs[:, None] - self.freedom / 2 * np.log(squares)

    def evidence(self, values: np.ndarray) -> np.ndarray:
        """Returns the log evidence of the step on these days for each row, summed over the processes."""
        return special.logsumexp(self._likelihoods(self._squares(values)), axis=0)

    def _posterior(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns the estimates, standard errors and weights by process, and by row."""
        squares = self._squares(values)
        weights = _shares(self._likelihoods(squares))
        return self.contrasts @ values.T, np.sqrt(self.norms[:, None] * squares / self.freedom), weights

    def below(self, values: np.ndarray) -> np.ndarray:
        """Returns the probability that the step of each row is below 0."""
        estimates, errors, weights = self._posterior(values)
        return (weights * student.below(self.freedom, -estimates / errors)).sum(axis=0)

    def quantile(self, values: np.ndarray, share: float) -> np.ndarray:
        """Returns the quantile `share` of the posterior of each row's step."""
        estimates, errors, weights = self._posterior(values)
        far = -special.stdtrit(self.freedom, min(share, 1 - share) / 2) * errors + 1e-300
        low, high = (estimates - far).min(axis=0), (estimates + far).max(axis=0)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            less = (weights * student.below(self.freedom, (middle - estimates) / errors)).sum(axis=0) < share
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        return (low + high) / 2

    def noise(self, values: np.ndarray) -> Noise | None:
        """Returns the noise; None if the days do not vary."""
        squares = self.squares_without_trend(np.asarray(values, dtype=float)[None])[:, 0]
        if not (squares > NOTHING).all():
            return None
        best = int(np.argmin(self.logs[self.without_trend] + self.freedom / 2 * np.log(squares)))
        return Noise(float(RHOS[best]), float(np.sqrt(squares[best] / self.freedom)))

    @cached_property
    def periods(self) -> tuple[int, int]:
        first = sum(share > 0.5 for share in self.after)
        return first, len(self.after) - first

    @cached_property
    def basis(self) -> str:
        first, others = self.periods
        return f"{first} days of the experiment and {others} others, of which successive ones may be alike"

    def interval(self, values: np.ndarray) -> Interval:
        values = np.asarray(values, dtype=float)
        size = np.abs(values).max()
        # A single sum of squares, of independent days, shows whether the values vary.
        if size == 0 or self._squares(values[None] / size)[0, 0] <= SQUARES_OF_ROUNDING:
            estimate = float(values @ self.contrasts[0])
            still = abs(estimate) <= ROUNDING * size
            return Interval(estimate, estimate, estimate, 0.0, self.basis, 1.0 if still else 0.0)
        rows = values[None] / size
        low, estimate, high = (
            float(self.quantile(rows, share)[0]) * size for share in (self.tail, 0.5, 1 - self.tail)
        )
        below = float(self.below(rows)[0])
        # Scale the probability so that p is 0.05 if 0 is at an end of the interval.
        p = min(1.0, min(below, 1 - below) / self.tail * 0.05)
        return Interval(estimate, low, high, None, self.basis, p)

    def share(self, values: np.ndarray, unit: np.ndarray) -> Interval:
        """Returns the step of `values` as a share of the step of `unit`, including the uncertainty of the latter (see
        ratio.py).

        The interval holds every share for which the step of `values` minus this share of `unit` may be 0. It is unbounded if
        the step of `unit` may be 0.
        """
        values, unit = (np.asarray(each, dtype=float) / np.abs(unit).max() for each in (values, unit))
        whole = self.interval(values)
        of_unit = self.interval(unit)
        # A quotient of rounding errors could be any percentage.
        if max(abs(whole.estimate), abs(whole.low), abs(whole.high)) <= ROUNDING:
            return Interval(0.0, 0.0, 0.0, 0.0, whole.basis, whole.p)
        if of_unit.low == of_unit.high or whole.low == whole.high:
            # Here the values are proportional to their denominator.
            return whole.times(1 / of_unit.estimate) if of_unit.estimate > ROUNDING else _anything(whole)
        if not of_unit.low > 0:
            return _anything(whole)
        mixed = np.einsum("j,kji,i->k", values, self.residuals, unit)
        of_values, of_units = (self._squares(each[None])[:, 0] for each in (values, unit))
        steps = self.contrasts @ values, self.contrasts @ unit

        def below(share: float) -> float:
            squares = np.maximum(of_values - 2 * share * mixed + share**2 * of_units, NOTHING)
            weights = _shares(self._likelihoods(squares[:, None]))[:, 0]
            errors = np.sqrt(self.norms * squares / self.freedom)
            return float(weights @ student.below(self.freedom, (share * steps[1] - steps[0]) / errors))

        guess = whole.estimate / of_unit.estimate
        reach = (whole.high - whole.low) / of_unit.estimate
        low, estimate, high = (
            _crossing(below, share, guess, reach) for share in (self.tail, 0.5, 1 - self.tail)
        )
        # Whether 0 is in the interval is known exactly, but an end only approximately.
        low = max(low, 0.0) if whole.low > 0 else low
        high = min(high, 0.0) if whole.high < 0 else high
        return Interval(estimate, low, high, None, self.basis, whole.p)


def _shares(logs: np.ndarray) -> np.ndarray:
    """Normalizes each column like `special.softmax`, which takes ten times as long for a few rows."""
    shares = np.exp(logs - logs.max(axis=0))
    return shares / shares.sum(axis=0)


def _anything(whole: Interval) -> Interval:
    """Returns the unbounded interval of a step whose unit may be 0."""
    return Interval(whole.estimate, -np.inf, np.inf, None, whole.basis, whole.p)


def _crossing(below, chance: float, guess: float, reach: float) -> float:
    """Finds the point at which a function that increases from 0 to 1 reaches `chance`, starting from a guess."""
    low, high = guess - reach, guess + reach
    while below(low) > chance:
        low = guess - 2 * (guess - low)
        if abs(low) > MOST:
            return -np.inf
    while below(high) < chance:
        high = guess + 2 * (high - guess)
        if abs(high) > MOST:
            return np.inf
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < chance else (low, middle)
    return (low + high) / 2


def find_changes(days: tuple[int, ...], after: tuple[float, ...]) -> np.ndarray:
    """Returns the days on which the kind (treated or not) changes."""
    order = np.argsort(days)
    return np.array(days)[order][1:][np.diff(np.array(after)[order]) != 0]


def _columns(days: np.ndarray, after: np.ndarray | None) -> np.ndarray:
    """
    Returns the design matrix: the level, the step (if `after` is given) and the day-of-week effects. Raises a Problem if
    its columns are collinear, so that the step cannot be estimated.
    """
    weekday = (days + 3) % 7
    kinds = weekday if len(days) >= DAYS_OF_WEEKDAYS else weekday >= 5
    week = [(kinds == kind).astype(float) for kind in np.unique(kinds)[1:]]
    others = [np.ones(len(days)), *week]
    columns = np.column_stack(others if after is None else [others[0], after, *others[1:]])
    if np.linalg.matrix_rank(columns) < columns.shape[1]:
        raise Problem(
            "the days of the experiment and the others are not of the same days of the week, so that nothing can be compared"
        )
    return columns
