"""Draws the learning curves."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt

from sammy_analysis.ttp.train import HIDDEN, Curve

ABOUT = {"tcp": "with TCP's statistics", "plain": "without"}


def draw_curves(curves: list[Curve], file: Path) -> None:
    """Draws the training and held-out loss by epoch, one chart per variant."""
    figure, charts = plt.subplots(
        1, len(HIDDEN), figsize=(9, 3.6), sharey=True, squeeze=False, layout="constrained"
    )
    for curve, axes in zip(curves, charts[0], strict=True):
        epochs = range(1, len(curve.trained) + 1)
        axes.plot(epochs, curve.trained, color="0.6", label="trained with")
        axes.plot(epochs, curve.held_out, color="tab:blue", label="held-out sessions")
        axes.plot([curve.best + 1], [curve.held_out[curve.best]], "o", color="tab:blue", label="taken")
        for day in curve.days[1:]:
            axes.axvline(day + 0.5, color="0.85", linewidth=1)
        axes.set_title(ABOUT[curve.variant], fontsize=9)
        axes.grid(color="0.93")
    charts[0][0].legend(fontsize=8)
    figure.supylabel("loss, −ln p")
    figure.supxlabel("epoch")
    figure.savefig(file, dpi=110, metadata={"Software": None})
    plt.close(figure)
