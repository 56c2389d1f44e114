"""Draws the comparison in the style of F. Yan's thesis (Figure 2.9)."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import pandas as pd

from sammy_analysis.ttp.ablation.predictors import TTP


def draw_ablations(table: pd.DataFrame, file: Path) -> None:
    """Draws one column per measure and one row per predictor: its mean error, with the interval of the difference from
    the TTP's error."""
    measures = list(table["measure"].unique())
    names = list(table["predictor"].unique())
    figure, columns = plt.subplots(
        1,
        len(measures),
        figsize=(12, 0.8 + 0.34 * len(names)),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, measure in zip(columns[0], measures, strict=True):
        lines = table[table["measure"] == measure].set_index("predictor")
        base = lines.loc[TTP.name, "mean"]
        at = [names.index(name) for name in lines.index]
        colors = ["tab:blue" if name == TTP.name else "0.72" for name in lines.index]
        axes.barh(at, lines["mean"], color=colors, height=0.62)
        group = lines.dropna(subset=["difference"])
        axes.errorbar(
            group["mean"],
            [names.index(name) for name in group.index],
            xerr=[group["difference"] - group["low"], group["high"] - group["difference"]],
            fmt="none",
            ecolor="0.15",
            elinewidth=1.2,
            capsize=2.5,
        )
        axes.axvline(base, color="tab:blue", linewidth=0.8)
        axes.set_xlabel(f"{measure} (less is better)")
        axes.grid(axis="x", color="0.93")
        axes.set_axisbelow(True)
    columns[0][0].set_yticks(range(len(names)), names)
    columns[0][0].invert_yaxis()
    figure.suptitle(
        "Error of predicted transmission times; bars: 95% interval of the difference to the TTP", fontsize=10
    )
    figure.savefig(file, dpi=110, metadata={"Software": None})
    plt.close(figure)
