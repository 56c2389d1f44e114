"""Draws the trial's figures: quality against stalls (F. Yan, thesis, Fig. 2.11 and C.1), and the trial's growth."""

import matplotlib.pyplot as plt

from ..experiment.reports.figures import svg
from .trial import Part, Scheme
from .uncertainty import Interval

COLOURS = ("#1b7837", "#d6604d", "#4575b4", "#7b3294", "#b8860b", "#555555", "#01665e", "#c51b7d")


def _cross(axes: plt.Axes, x: Interval, y: Interval, number: int, label: str, scale: float = 1) -> None:
    """Draws a point with its intervals in both directions; `scale` is the factor of x."""
    colour = COLOURS[number % len(COLOURS)]
    axes.plot([scale * x.low, scale * x.high], [y.estimate] * 2, color=colour, linewidth=1.5)
    axes.plot([scale * x.estimate] * 2, [y.low, y.high], color=colour, linewidth=1.5)
    axes.plot(scale * x.estimate, y.estimate, "o", color=colour, markersize=5, label=label)


def _draw(axes: plt.Axes, schemes: list[Scheme], names: list[str]) -> None:
    for each in schemes:
        if each.ssim_db is None:
            continue
        _cross(axes, each.stall_ratio, each.ssim_db, names.index(each.name), each.name, 100)
    axes.set_xlabel("time stalled, %")
    axes.set_ylabel("mean SSIM, dB")


def quality_and_stalls(schemes: list[Scheme], label: str) -> str | None:
    """Draws Fig. 2.11 of F. Yan's thesis: quality against stalls. The best schemes are at the top right."""
    if not any(each.ssim_db for each in schemes):
        return None
    figure, axes = plt.subplots(figsize=(7, 4.5))
    _draw(axes, schemes, [each.name for each in schemes])
    axes.invert_xaxis()
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return svg(figure, label)


def cold_start(schemes: list[Scheme], label: str) -> str | None:
    """Draws Fig. 2.12 of F. Yan's thesis: the first chunk's quality against its startup delay."""
    known = [each for each in schemes if each.first_ssim_db]
    if not known:
        return None
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for number, each in enumerate(schemes):
        if each.first_ssim_db is not None:
            _cross(axes, each.startup_s, each.first_ssim_db, number, each.name)
    axes.set_xlabel("start-up delay, s")
    axes.set_ylabel("SSIM of the first chunk, dB")
    axes.invert_xaxis()
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return svg(figure, label)


def growth(parts: list[Part]) -> str | None:
    """Draws Fig. C.1 of F. Yan's thesis: quality against stalls after parts of the trial, with common scales."""
    if len(parts) < 2 or not any(each.ssim_db for each in parts[-1].schemes):
        return None
    names = [each.name for each in parts[-1].schemes]
    figure, grid = plt.subplots(
        1, len(parts), figsize=(3 * len(parts), 3.6), sharex=True, sharey=True, squeeze=False
    )
    for axes, part in zip(grid[0], parts, strict=True):
        _draw(axes, part.schemes, names)
        axes.set_title(f"{part.sessions:,} sessions, {part.hours:,.1f} h", fontsize=10)
        axes.label_outer()
    grid[0][0].invert_xaxis()
    handles, labels = grid[0][-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    return svg(figure, "Intervals after parts of the trial")
