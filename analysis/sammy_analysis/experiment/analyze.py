"""`analyze`: from sessions to estimates."""

from dataclasses import dataclass, field

import pandas as pd

from .cells import cells_expression, sort
from .design import detect
from .estimands import Arms, Estimate, InterferenceTest, Options, estimates, interference
from .problem import Problem
from .read import Sessions


@dataclass
class Analysis:
    options: Options
    cells: pd.DataFrame
    found: dict[str, list[Estimate]] = field(default_factory=dict)
    tests: dict[str, list[InterferenceTest]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def analyze(
    sessions: Sessions, arms: Arms, design: str | None, window_hours: int, rows: str, offset: int
) -> Analysis:
    """Runs the group-by, and every estimator on its result. `offset` is the viewers' clock less UTC, in hours."""
    cells = sort(cells_expression(sessions.table, sessions.metrics).execute()).assign(offset=offset)
    known = {arms.treatment, arms.control}
    present = set(cells.arm)
    for arm in sorted(known - present):
        raise Problem(
            f"{sessions.files[0]}, arm: no session of the arm '{arm}'; there is {', '.join(sorted(present))}"
        )
    result = Analysis(Options(arms, design or detect(cells), window_hours, rows), cells)
    for metric in sessions.metrics:
        try:
            result.found[metric], refused = estimates(cells, metric, result.options)
        except Problem as problem:
            result.refused.append(str(problem))
            continue
        result.refused += refused
        result.tests[metric] = interference(result.found[metric])
    return result
