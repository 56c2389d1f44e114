"""The estimator of Appendix B of Unbiased Experiments in Congested Networks (Spang et al., 2021), "the paper".

Hourly means Z_t(A) are regressed on the arm and fixed effects of the hour of day by least squares. The standard error is that
of Newey and West, with a lag of two hours and Bartlett weights. Rows of one hour are summed before the kernel is applied
("hac-groupsum" in statsmodels), so that an hour has one score for any number of rows.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from ..problem import Problem

LAG_HOURS = 2
#: The paper's intervals are the estimate ± 1.96 standard errors.
Z_95 = 1.96
#: A value below this share of a mean counts as a rounding error: means of equal values differ by a share of about
#: 1e-16.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% interval, in the metric's unit. `se` is the standard error, or None if the method has
    none."""

    estimate: float
    low: float
    high: float
    se: float | None = None
    #: The number of independent observations behind the interval, as text: "120 hours", "5 days".
    basis: str = ""
    #: The probability of an estimate at least as large without an effect; None if not computed.
    p: float | None = None

    def over(self, mean: float) -> "Interval":
        """Returns the interval as a share of the absolute value of `mean`, so that an increase is positive even if the
        mean is negative.

        Rounding errors become 0. Otherwise a constant metric would seem to change in every hour.
        """
        size = abs(mean)
        shares = (end / size for end in (self.estimate, self.low, self.high))
        estimate, low, high = (0.0 if abs(share) < ROUNDING else share for share in shares)
        return Interval(estimate, low, high, None if self.se is None else self.se / size, self.basis, self.p)

    def times(self, factor: float) -> "Interval":
        """Converts the interval to another unit."""
        se = None if self.se is None else self.se * factor
        ends = (self.estimate * factor, self.low * factor, self.high * factor)
        return Interval(*ends, se, self.basis, self.p)

    def at_least(self, least: float) -> "Interval":
        """Limits the interval to values of at least `least`, if lower values are impossible."""
        ends = (max(end, least) for end in (self.estimate, self.low, self.high))
        return Interval(*ends, self.se, self.basis, self.p)

    def widened(self, variance: float) -> "Interval":
        """Returns the interval widened by an independent source of error with this variance."""
        if variance <= 0:
            return self
        error = float(np.sqrt(variance))
        low, high = (float(np.hypot(self.estimate - end, Z_95 * error)) for end in (self.low, self.high))
        se = None if self.se is None else float(np.hypot(self.se, error))
        basis = f"{self.basis}, and accounts that come back"
        return Interval(
            self.estimate, self.estimate - low, self.estimate + high, se, basis, self._p_with(error)
        )

    def _p_with(self, error: float) -> float | None:
        """Returns the p-value after widening by `error`, as if the estimate were normally distributed."""
        if self.p is None or self.p >= 1 or self.estimate == 0:
            return self.p
        own = abs(self.estimate) / float(-special.ndtri(self.p / 2))
        return float(2 * special.ndtr(-abs(self.estimate) / np.hypot(own, error)))

    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


def regress(
    z: np.ndarray, treated: np.ndarray, hour_of_day: np.ndarray, time: np.ndarray, lag: int = LAG_HOURS
) -> Interval:
    """Estimates the arm's coefficient in Z = c + beta A + beta_hour + error.

    All four arrays have a value for each row; `treated` is 0 or 1, and `time` counts hours. An hour without rows has the score
    0, so that lags are hours, not rows. There is no small-sample correction. By the Frisch-Waugh-Lovell theorem, the
    coefficient is that of the arm minus its mean in each hour of day.
    """
    a = within(treated.astype(float), hour_of_day)
    norm = float(a @ a)
    if norm < 1e-12:
        raise Problem("no hour of day has sessions of both arms")
    beta = float(a @ z) / norm
    score = a * (within(z, hour_of_day) - beta * a)
    hours = np.bincount((time - time.min()).astype(int), weights=score)
    variance = long_run_sum(hours, lag) / norm**2
    se = float(np.sqrt(max(variance, 0.0)))
    count = len(np.unique(time))
    return Interval(beta, beta - Z_95 * se, beta + Z_95 * se, se, f"{count} hours")


def within(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Subtracts from `values` the mean of their group."""
    _, index = np.unique(group, return_inverse=True)
    return values - (np.bincount(index, weights=values) / np.bincount(index))[index]


def long_run_sum(scores: np.ndarray, lag: int) -> float:
    """Returns the sum of products of scores up to `lag` apart, with Bartlett weights 1 - l / (lag + 1)."""
    total = float(scores @ scores)
    for shift in range(1, min(lag, len(scores) - 1) + 1):
        total += 2 * (1 - shift / (lag + 1)) * float(scores[shift:] @ scores[:-shift])
    return total
