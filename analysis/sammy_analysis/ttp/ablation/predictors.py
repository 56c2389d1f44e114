"""The predictors of the ablation study, with their training and inference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sammy_analysis.ttp.ablation.rows import Rows
from sammy_analysis.ttp.inputs import BINS, EDGES_S, HISTORY, HORIZON, PLAIN_INPUTS, TCP_INPUTS, time_bins
from sammy_analysis.ttp.model import TIMES_S, Variant
from sammy_analysis.ttp.network import initial
from sammy_analysis.ttp.train import HIDDEN, Curve, descend

STATISTICS = tuple(range(PLAIN_INPUTS - 1, TCP_INPUTS - 1))
CWND, IN_FLIGHT, MIN_RTT, RTT, DELIVERY_RATE = STATISTICS
PACE_SHARES = tuple(range(2 * HISTORY, 3 * HISTORY))
SIZE = TCP_INPUTS - 1
#: An input counts as constant if the standard deviation of its logarithm is smaller than this (`train.fresh`).
LEAST_DEVIATION = 1e-6


@dataclass(frozen=True)
class Predictor:
    """The settings of one predictor.

    without: the indexes of masked inputs. fresh: whether TCP's statistics are from the start of this response, not from
    the previous response. censored: whether the time of a chunk that its pace limited counts as an upper bound;
    otherwise it counts as the network's own time, or the chunk is dropped. by_size: whether it predicts the time of a
    chunk of known size; otherwise it predicts a throughput.
    """

    name: str
    without: tuple[int, ...] = ()
    fresh: bool = False
    censored: bool = True
    dropped: bool = False
    hidden: tuple[int, ...] = tuple(HIDDEN["tcp"])
    by_size: bool = True


TTP = Predictor("TTP")
UNCENSORED = Predictor("without censoring", censored=False)
DROPPED = Predictor("without what a pace held back", censored=False, dropped=True)
#: The predictors to train: those of F. Yan's thesis (Figure 2.9), and those added by this project.
PREDICTORS = [
    TTP,
    Predictor("without cwnd", without=(CWND,)),
    Predictor("without packets in flight", without=(IN_FLIGHT,)),
    Predictor("without least RTT", without=(MIN_RTT,)),
    Predictor("without RTT", without=(RTT,)),
    Predictor("without delivery rate", without=(DELIVERY_RATE,)),
    Predictor("without TCP's statistics", without=STATISTICS),
    Predictor("linear", hidden=()),
    Predictor("throughput predictor", without=(SIZE,), by_size=False),
    Predictor("without the pace's shares", without=PACE_SHARES),
    UNCENSORED,
    DROPPED,
    Predictor("with fresh TCP statistics", fresh=True),
]


@dataclass(frozen=True)
class Trained:
    """A trained predictor. `values` are the representative values of the bins, in s or bytes/s."""

    predictor: Predictor
    network: Variant
    values: np.ndarray

    def predict(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Returns the probabilities of the bins and the time of each bin, s. Both are [rows, BINS]."""
        shares = self.network.probabilities(predictor_inputs(self.predictor, rows), 0)
        if self.predictor.by_size:
            return shares, np.tile(self.values, (len(shares), 1))
        return shares, rows.inputs[:, [SIZE]] / self.values


def predictor_inputs(predictor: Predictor, rows: Rows) -> np.ndarray:
    """Returns the predictor's inputs. Masked inputs are NaN, which the network replaces by the mean."""
    inputs = (rows.fresh if predictor.fresh else rows.inputs).copy()
    inputs[:, list(predictor.without)] = np.nan
    return inputs


def train_one(predictor: Predictor, rows: Rows, checks: Rows, seed: list[int], epochs: int) -> Trained:
    """Trains like `train.learn`, for one day, until the loss of `checks` stops falling. `checks` has no row of the comparison."""
    if predictor.dropped:
        rows, checks = rows.select(~rows.limited), checks.select(~checks.limited)
    inputs = predictor_inputs(predictor, rows)
    known = ~np.isnan(inputs)
    counts = np.maximum(1, known.sum(axis=0))
    values = np.where(known, np.log1p(inputs), 0)
    mean = values.sum(axis=0) / counts
    deviation = np.sqrt((np.where(known, values - mean, 0) ** 2).sum(axis=0) / counts)
    deviation = np.where(deviation > LEAST_DEVIATION, deviation, 1.0)
    random = np.random.default_rng(seed)
    widths = [inputs.shape[1] + HORIZON, *predictor.hidden, BINS]
    network = Variant(mean, deviation, [each.astype(np.float32) for each in initial(widths, random)])
    edges = throughput_edges(rows)
    tensors = [
        (
            network.normalize(predictor_inputs(predictor, part), 0).astype(np.float32),
            allowed_by(predictor, part, edges),
            np.ones(len(part.took_s), np.float32),
        )
        for part in (rows, checks)
    ]
    network.network = descend(network.network, *tensors, Curve(predictor.name), epochs, random)
    return Trained(predictor, network, bin_values(predictor, rows, edges))


def throughput_edges(rows: Rows) -> np.ndarray:
    """Returns the edges of the throughput bins in bytes/s. Each bin contains the same number of chunks whose time the
    network limited."""
    observed = rows.observed
    return np.quantile(rows.inputs[observed, SIZE] / rows.took_s[observed], np.arange(1, BINS) / BINS)


def allowed_by(predictor: Predictor, rows: Rows, edges: np.ndarray) -> np.ndarray:
    """Returns the bins that each observation allows, [rows, BINS]. An upper bound on the time is a lower bound on throughput."""
    limited, given_up = rows.limited & predictor.censored, rows.given_up
    if predictor.by_size:
        seen, lower, higher = time_bins(rows.took_s), limited, given_up
    else:
        throughput = rows.inputs[:, SIZE] / rows.took_s
        seen, lower, higher = np.searchsorted(edges, throughput, side="right"), given_up, limited
    each, seen = np.arange(BINS), seen[:, None]
    return (each == seen) | (lower[:, None] & (each < seen)) | (higher[:, None] & (each > seen))


def bin_values(predictor: Predictor, rows: Rows, edges: np.ndarray) -> np.ndarray:
    """Returns the value of each bin: for times the same as in `train.train`, for throughputs the median of the bin."""
    observed = rows.observed
    if predictor.by_size:
        late = rows.took_s[~rows.limited & (rows.took_s > EDGES_S[-1])]
        return np.array([*TIMES_S[:-1], float(np.median(late)) if len(late) else TIMES_S[-1]])
    throughput = rows.inputs[observed, SIZE] / rows.took_s[observed]
    bins = np.searchsorted(edges, throughput, side="right")
    medians = [
        np.median(throughput[bins == each]) if (bins == each).any() else np.nan for each in range(BINS)
    ]
    # A bin between two equal edges is empty. Its value is the edge.
    return np.array([edges[min(at, BINS - 2)] if np.isnan(each) else each for at, each in enumerate(medians)])
