"""The figure of the effect of a model's age, by day."""

import matplotlib.pyplot as plt

from ..experiment.reports.figures import svg
from ..puffer.figures import COLOURS
from .compare import Day


def by_day(days: list[Day], label: str) -> str | None:
    """Draws time stalled and SSIM by day, with their intervals."""
    if not days:
        return None
    figure, (stalls, quality) = plt.subplots(1, 2, figsize=(9, 3.6))
    names = [each.name for each in days[0].schemes]
    for number, name in enumerate(names):
        shift, colour = 0.12 * (number - (len(names) - 1) / 2), COLOURS[number % len(COLOURS)]
        for position, day in enumerate(days):
            scheme = day.schemes[number]
            at, first = day.day + shift, position == 0
            drawn = [(stalls, scheme.stall_ratio, 100)]
            drawn += [(quality, scheme.ssim_db, 1)] if scheme.ssim_db else []
            for axes, interval, scale in drawn:
                axes.plot(
                    [at, at], [scale * interval.low, scale * interval.high], color=colour, linewidth=1.5
                )
                axes.plot(
                    at,
                    scale * interval.estimate,
                    "o",
                    color=colour,
                    markersize=5,
                    label=name if first else None,
                )
    for axes, words in ((stalls, "time stalled, %"), (quality, "mean SSIM, dB")):
        axes.set_xlabel("day")
        axes.set_ylabel(words)
        axes.set_xticks([day.day for day in days])
    handles, labels = stalls.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    return svg(figure, label)
