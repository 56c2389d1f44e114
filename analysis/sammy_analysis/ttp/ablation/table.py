"""The results of the comparison: a table, its CSV, and a line on censoring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sammy_analysis.ttp.ablation.compare import MEASURES, Predictions, compare, over_networks
from sammy_analysis.ttp.ablation.predictors import DROPPED, TTP, UNCENSORED
from sammy_analysis.ttp.ablation.rows import Rows


@dataclass(frozen=True)
class EvaluationGroup:
    """A group of rows, and the times to predict, s."""

    about: str
    rows: np.ndarray
    truth_s: np.ndarray


def evaluation_groups(rows: Rows) -> list[EvaluationGroup]:
    """Returns the groups to evaluate: chunks not limited by a pace; among them, first chunks separately; and, if the
    simulated network was forked, paced chunks by the time that they would take unpaced."""
    later = np.isfinite(rows.mean_s)
    forked = np.isfinite(rows.truth_s) & ~rows.given_up & later
    wanted = [
        EvaluationGroup("chunks that no pace held back", rows.observed & later, rows.took_s),
        EvaluationGroup("first chunks of their sessions", rows.observed & ~later, rows.took_s),
        EvaluationGroup("chunks with a pace, by their unpaced times", forked, rows.truth_s),
        EvaluationGroup(
            "chunks that a pace held back, by their unpaced times", forked & rows.limited, rows.truth_s
        ),
    ]
    return [each for each in wanted if each.rows.any()]


def tabulate(
    rows: Rows, predictions: dict[str, Predictions], group: EvaluationGroup, seed: int
) -> pd.DataFrame:
    """Returns a table with predictor, measure, mean, difference, low and high. Values that are not available are NaN."""
    chosen, truth_s = group.rows, group.truth_s[group.rows]
    networks = rows.network[chosen]
    lines = []
    for measure, by_row in MEASURES.items():
        found = {
            name: by_row(
                Predictions(each.expected_s[chosen], None if each.shares is None else each.shares[chosen]),
                truth_s,
            )
            for name, each in predictions.items()
        }
        for name, values in found.items():
            # Skip missing values: some predictors give no probabilities, and before the first chunk there is no mean.
            if values is None or np.isnan(values).any():
                continue
            compared = compare(values, None if name == TTP.name else found[TTP.name], networks, seed)
            low, high = compared.interval or (np.nan, np.nan)
            difference = np.nan if compared.difference is None else compared.difference
            lines.append([group.about, name, measure, compared.mean, difference, low, high])
    columns = ["rows", "predictor", "measure", "mean", "difference", "low", "high"]
    return pd.DataFrame(lines, columns=columns)


def printed(table: pd.DataFrame, rows: Rows, group: EvaluationGroup) -> str:
    """Formats, for each measure, the mean and its difference from the TTP's."""
    networks = len(np.unique(rows.network[group.rows]))
    measures = list(table["measure"].unique())
    lines = [
        f"{group.about}: {group.rows.sum()} of {networks} networks",
        f"{'':34}" + "".join(f"{measure:41}" for measure in measures).rstrip(),
    ]
    for name in table["predictor"].unique():
        cells = ""
        for measure in measures:
            found = table[(table["predictor"] == name) & (table["measure"] == measure)]
            cells += f"{format_cell(found.iloc[0]) if len(found) else '':41}"
        lines.append(f"  {name:32}{cells}".rstrip())
    return "\n".join(lines)


def format_cell(line: pd.Series) -> str:
    """Formats the mean, the difference and its interval."""
    if np.isnan(line["difference"]):
        return f"{line['mean']:.4f}"
    return f"{line['mean']:.4f} {line['difference']:+.4f} ({line['low']:+.4f} to {line['high']:+.4f})"


def on_censoring(rows: Rows, predictions: dict[str, Predictions], group: EvaluationGroup, seed: int) -> str:
    """Formats how much censoring reduces the error, compared with no censoring and with dropping pace-limited chunks."""
    chosen, truth_s = group.rows, group.truth_s[group.rows]
    networks = rows.network[chosen]
    errors = {
        name: np.abs(predictions[name].expected_s[chosen] - truth_s)
        for name in (TTP.name, UNCENSORED.name, DROPPED.name)
    }
    words = []
    for other in (UNCENSORED.name, DROPPED.name):
        share = errors[TTP.name].sum() / errors[other].sum()
        low, high = over_networks(errors[TTP.name], errors[other], networks, seed)
        words.append(f"{1 - share:.0%} lower than {other} ({1 - high:.0%} to {1 - low:.0%})")
    return f"the TTP's mean absolute error on {group.about} is {', and '.join(words)}"
