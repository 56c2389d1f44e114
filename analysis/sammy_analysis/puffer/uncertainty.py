"""The uncertainty of a scheme's results (F. Yan, thesis §2.2.4): few streams stall, and watch times have a heavy tail.

The stall ratio is that of an endless simulated trial, and its interval contains 95% of simulated trials of as many streams as
the scheme has (a bootstrap over streams). By Puffer's rules, it is the mean over these trials. Each
simulated stream draws a watch time from all observed ones, of any scheme, and a stall ratio from the scheme's own streams of
about that length. Therefore a scheme whose viewers happened to watch longer or shorter is compared without this difference. The
interval of SSIM is normal, from the weighted standard error in units of the index, and converted to dB.
"""

from dataclasses import dataclass

import numpy as np

#: Number of simulated trials, as in Puffer's published analysis.
ITERATIONS = 10_000
#: The number of simulated streams in memory at a time.
AT_A_TIME = 2_000_000
#: Half of the width of a 95% interval, in standard errors.
Z = 1.959964
#: The watch times and stall times of streams, s.
Watched = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% interval."""

    estimate: float
    low: float
    high: float


def stall_ratio(
    watch_s: np.ndarray,
    stall_s: np.ndarray,
    watch_times_s: np.ndarray,
    random: np.random.Generator,
    iterations: int = ITERATIONS,
    *,
    mean_of_simulated: bool = False,
) -> Interval:
    """Returns the time stalled over the time watched for a scheme's streams, at the watch times of all schemes.

    The mean ratio of simulated trials has their noise. With few streams it is also biased, because the ratio is that of two
    correlated sums.
    """
    simulated = simulated_ratios(watch_s, stall_s, watch_times_s, random, iterations)
    expected = (
        float(simulated.mean()) if mean_of_simulated else _expected_ratio(watch_s, stall_s, watch_times_s)
    )
    return _interval(expected, simulated)


def stall_difference(
    one: Watched, other: Watched, watch_times_s: np.ndarray, seed: int, iterations: int = ITERATIONS
) -> Interval:
    """Returns the stall ratio of one scheme's streams minus that of another, independent scheme."""
    simulated = [
        simulated_ratios(*each, watch_times_s, np.random.default_rng([seed, number]), iterations)
        for number, each in enumerate((one, other))
    ]
    estimates = [_expected_ratio(*each, watch_times_s) for each in (one, other)]
    return _interval(estimates[0] - estimates[1], simulated[0] - simulated[1])


def simulated_ratios(
    watch_s: np.ndarray,
    stall_s: np.ndarray,
    watch_times_s: np.ndarray,
    random: np.random.Generator,
    iterations: int,
) -> np.ndarray:
    """Simulates trials, and returns their stall ratios."""
    pools, first, count = _pools(_bin(watch_s), stall_s / watch_s, _bin(watch_times_s))
    simulated = np.empty(iterations)
    rows = max(1, AT_A_TIME // len(watch_s))
    for begin in range(0, iterations, rows):
        size = (min(rows, iterations - begin), len(watch_s))
        drawn = random.integers(len(watch_times_s), size=size)
        ratio = pools[first[drawn] + (random.random(size) * count[drawn]).astype(int)]
        watched = watch_times_s[drawn]
        simulated[begin : begin + size[0]] = (watched * ratio).sum(axis=1) / watched.sum(axis=1)
    return simulated


def _expected_ratio(watch_s: np.ndarray, stall_s: np.ndarray, watch_times_s: np.ndarray) -> float:
    """Returns the ratio of the expected sums of a simulated trial, without noise: each watch time gets the mean ratio of
    its pool."""
    pools, first, count = _pools(_bin(watch_s), stall_s / watch_s, _bin(watch_times_s))
    until = np.concatenate([[0.0], np.cumsum(pools)])
    return float(np.average((until[first + count] - until[first]) / count, weights=watch_times_s))


def _interval(estimate: float, simulated: np.ndarray) -> Interval:
    low, high = np.quantile(simulated, [0.025, 0.975])
    return Interval(estimate, float(low), float(high))


def _bin(watch_s: np.ndarray) -> np.ndarray:
    """Returns the bin of each watch time: from 4 to 8 s, from 8 to 16 s, from 16 to 32 s, etc."""
    return np.floor(np.log2(watch_s)).astype(int)


def _pools(own: np.ndarray, ratios: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, ...]:
    """Returns the concatenated pools of ratios, and the first index and length of the pool of each wanted bin.

    If a scheme has no stream of a length, the pool contains its streams of the nearest length, or of both nearest lengths
    if these are equally near.
    """
    pools, places = [], {}
    length = 0
    for each in np.unique(wanted):
        distance = np.abs(own - each)
        pool = ratios[distance == distance.min()]
        places[int(each)] = (length, len(pool))
        pools.append(pool)
        length += len(pool)
    first, count = (np.array([places[int(each)][part] for each in wanted]) for part in (0, 1))
    return np.concatenate(pools), first, count


def decibels(index: float) -> float:
    """Converts an SSIM index to dB; infinite for identical frames."""
    return float(-10 * np.log10(1 - index)) if index < 1 else float("inf")


def mean_ssim_db(watch_s: np.ndarray, ssim_index: np.ndarray, z: float = Z) -> Interval:
    """Returns the mean SSIM of streams, weighted by watch time, ± `z` standard errors."""
    mean, error = _weighted(watch_s, ssim_index)
    return Interval(*(decibels(index) for index in (mean, mean - z * error, mean + z * error)))


def ssim_difference_db(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> Interval:
    """Returns the mean SSIM of one scheme's streams minus another's, each given as watch times and indexes; errors to first
    order."""
    (mean, error), (other_mean, other_error) = _weighted(*one), _weighted(*other)
    # The derivative of the SSIM in dB by the index.
    slopes = [10 / np.log(10) / (1 - index) for index in (mean, other_mean)]
    half = Z * float(np.hypot(slopes[0] * error, slopes[1] * other_error))
    difference = decibels(mean) - decibels(other_mean)
    return Interval(difference, difference - half, difference + half)


def _weighted(watch_s: np.ndarray, ssim_index: np.ndarray) -> tuple[float, float]:
    """Returns the mean weighted by watch time and its standard error, which is infinite for a single stream."""
    share = watch_s / watch_s.sum()
    mean = float((share * ssim_index).sum())
    deviation = float(np.sqrt((share * (ssim_index - mean) ** 2).sum()))
    return mean, deviation * float(np.sqrt((share**2).sum())) if len(share) > 1 else float("inf")


def unweighted_mean(values: np.ndarray, z: float = Z) -> Interval:
    """Returns the unweighted mean over streams. The interval of a single stream is infinite."""
    mean, error = float(values.mean()), z * _standard_error(values)
    return Interval(mean, mean - error, mean + error)


def mean_difference(one: np.ndarray, other: np.ndarray) -> Interval:
    """Returns the unweighted mean of one scheme's streams minus another's."""
    difference = float(one.mean() - other.mean())
    error = Z * float(np.hypot(_standard_error(one), _standard_error(other)))
    return Interval(difference, difference - error, difference + error)


def _standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("inf")
