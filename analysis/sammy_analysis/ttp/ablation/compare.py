"""Cross-validates the predictors over networks, and compares their errors.

Each chunk is predicted by a model that was trained without its network, so every network is in the comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sammy_analysis.ttp.ablation.predictors import PREDICTORS, TTP, Predictor, train_one
from sammy_analysis.ttp.ablation.rows import Rows
from sammy_analysis.ttp.evaluate import RESAMPLES
from sammy_analysis.ttp.inputs import BINS, time_bins

POINT_ESTIMATE, HARMONIC_MEAN = "point estimate", "harmonic mean"
#: Share of the training networks that is used for early stopping instead of training.
CHECKED = 1 / 8
#: The minimum probability in the cross-entropy, because float32 can round a probability to 0.
LEAST_SHARE = 1e-12


@dataclass(frozen=True)
class Predictions:
    """A predictor's expected time of each row in s, and its probabilities [rows, BINS], or None if it does not predict
    time bins."""

    expected_s: np.ndarray
    shares: np.ndarray | None


@dataclass(frozen=True)
class ComparisonSettings:
    """Settings of the comparison. `parts` is the number of folds of the cross-validation over networks."""

    parts: int = 5
    epochs: int = 40
    seed: int = 1
    progress: Callable[[float, str], None] = lambda done, what: None


def predict_all(
    rows: Rows, asked: ComparisonSettings, predictors: list[Predictor] = PREDICTORS
) -> dict[str, Predictions]:
    """Returns the predictions by name: `predictors`, point estimate, harmonic mean. Raises ValueError for too few networks."""
    part_of = assign_folds(rows, asked)
    count = len(rows.took_s)
    expected = {each.name: np.empty(count) for each in predictors} | {POINT_ESTIMATE: np.empty(count)}
    shares = {each.name: np.empty((count, BINS)) for each in predictors if each.by_size}
    for part in range(asked.parts):
        held_out = part_of == part
        rest = np.flatnonzero(~held_out)
        random = np.random.default_rng([asked.seed, part])
        networks = random.permutation(np.unique(rows.network[rest]))
        checking = np.isin(rows.network[rest], networks[: max(1, round(CHECKED * len(networks)))])
        told, checks, questions = (
            rows.select(rest[~checking]),
            rows.select(rest[checking]),
            rows.select(held_out),
        )
        for number, predictor in enumerate(predictors):
            trained = train_one(predictor, told, checks, [asked.seed, part], asked.epochs)
            probable, times_s = trained.predict(questions)
            expected[predictor.name][held_out] = (probable * times_s).sum(axis=1)
            if predictor.by_size:
                shares[predictor.name][held_out] = probable
            if predictor == TTP:
                expected[POINT_ESTIMATE][held_out] = np.take_along_axis(
                    times_s, probable.argmax(axis=1)[:, None], axis=1
                )[:, 0]
            done = (part * len(predictors) + number + 1) / (asked.parts * len(predictors))
            asked.progress(done, f"part {part + 1} of {asked.parts}: {predictor.name}")
    predictions = {name: Predictions(values, shares.get(name)) for name, values in expected.items()}
    return {**predictions, HARMONIC_MEAN: Predictions(rows.mean_s, None)}


def assign_folds(rows: Rows, asked: ComparisonSettings) -> np.ndarray:
    """Returns for each row the fold in which its network is held out."""
    networks = np.unique(rows.network)
    if len(networks) < asked.parts + 2:
        raise ValueError(f"{len(networks)} networks are too few to hold them out in {asked.parts} parts")
    order = np.random.default_rng(asked.seed).permutation(len(networks))
    return (order % asked.parts)[np.searchsorted(networks, rows.network)]


def cross_entropy(predictions: Predictions, truth_s: np.ndarray) -> np.ndarray | None:
    """Returns the cross-entropy of each row, nats, or None for predictions without time bins."""
    if predictions.shares is None:
        return None
    found = np.take_along_axis(predictions.shares, time_bins(truth_s)[:, None], axis=1)[:, 0]
    return -np.log(np.maximum(LEAST_SHARE, found))


#: Error measures by row, from the predictions and the true times, s. Lower is better.
MEASURES: dict[str, Callable[[Predictions, np.ndarray], np.ndarray | None]] = {
    "mean squared error, s²": lambda predictions, truth_s: (predictions.expected_s - truth_s) ** 2,
    "mean absolute error, s": lambda predictions, truth_s: np.abs(predictions.expected_s - truth_s),
    "cross-entropy, nats": cross_entropy,
}


@dataclass(frozen=True)
class Compared:
    """A mean error, and its difference from the TTP's with the 95% interval over networks; None for the TTP itself."""

    mean: float
    difference: float | None
    interval: tuple[float, float] | None


def compare(values: np.ndarray, others: np.ndarray | None, networks: np.ndarray, seed: int) -> Compared:
    """Compares two predictors' errors, paired by row."""
    if others is None:
        return Compared(float(values.mean()), None, None)
    differences = values - others
    low, high = over_networks(differences, np.ones(len(values)), networks, seed)
    return Compared(float(values.mean()), float(differences.mean()), (low, high))


def over_networks(
    above: np.ndarray, below: np.ndarray, networks: np.ndarray, seed: int
) -> tuple[float, float]:
    """Returns the 95% interval of sum(above) / sum(below), by a bootstrap over networks, because chunks of one network
    are dependent."""
    numbers, networks = np.unique(networks, return_inverse=True)
    sums, wholes = (np.bincount(networks, weights=each) for each in (above, below))
    drawn = np.random.default_rng(seed).integers(len(numbers), size=(RESAMPLES, len(numbers)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / wholes[drawn].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)
