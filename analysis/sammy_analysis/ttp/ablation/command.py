"""`learn ablations`: compares the predictors on a folder of sessions; writes a table and a figure."""

from __future__ import annotations

import time
from pathlib import Path

import pandas as pd

from sammy_analysis.ttp.ablation.ablations_figure import draw_ablations
from sammy_analysis.ttp.ablation.compare import ComparisonSettings, predict_all
from sammy_analysis.ttp.ablation.rows import read_rows
from sammy_analysis.ttp.ablation.table import evaluation_groups, on_censoring, printed, tabulate
from sammy_analysis.ttp.command_line import Parser, progress_since


def ablate(argv: list[str]) -> None:
    """Trains and compares the predictors. Raises ValueError for invalid options or data."""
    parser = Parser(add_help=False)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=40)
    options = parser.parse_args(argv)
    if options.epochs < 1 or options.seed < 0 or options.parts < 2:
        raise ValueError("--epochs must be at least 1, --seed at least 0 and --parts at least 2")
    if not options.data.is_dir():
        raise ValueError(f"--data: there is no folder {options.data}")
    rows = read_rows(options.data)
    predictions = predict_all(
        rows,
        ComparisonSettings(options.parts, options.epochs, options.seed, progress_since(time.monotonic())),
    )
    options.out.mkdir(parents=True, exist_ok=True)
    tables = []
    for group in evaluation_groups(rows):
        tables.append(tabulate(rows, predictions, group, options.seed))
        print(printed(tables[-1], rows, group))
        if group.truth_s is rows.truth_s:
            print(on_censoring(rows, predictions, group, options.seed))
        print()
    table, picture = options.out / "ablations.csv", options.out / "ablations.png"
    pd.concat(tables).to_csv(table, index=False, float_format="%.6f")
    draw_ablations(tables[0], picture)
    print(f"{table}, {picture}")
