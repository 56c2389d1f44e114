"""Draws the figures of Unbiased Experiments in Congested Networks as SVG, as far as the data allow."""

import io
import re
import warnings
from html import escape

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ..analyze import Analysis
from ..designs.emulate import alternating, from_the_middle, usable_days
from ..estimators.appendix_b import Interval
from ..estimators.estimands import Estimate, group, levels
from ..estimators.panel import DAY, Hours
from ..reading.schema import metric as known
from ..reading.schema import unit

#: If there are more clusters than this, they are combined into one.
MOST_CLUSTERS = 4
COLOURS = {
    "treatment": "#7b3294",
    "control": "#d6604d",
    "tte": "#1b7837",
    "other": "#4575b4",
    "fourth": "#b8860b",
}
plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "sammy",
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.constrained_layout.use": True,
        # Names are plain text, so `$...$` in a name must not be a formula.
        "text.parse_math": False,
    }
)


def svg(figure: plt.Figure, label: str) -> str:
    """Returns the figure as an element of a page, with a description for screen readers."""
    body = drawn(figure)
    plt.close(figure)
    # Ids must be unique within a page.
    prefix = re.sub(r"\W+", "-", label.lower())
    body = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{prefix}-", body)
    return body.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


def drawn(figure: plt.Figure) -> str:
    """Lays out and draws the figure. This takes most of the time of a report."""
    text = io.StringIO()
    with warnings.catch_warnings():
        # Ignore missing glyphs, because the reader's browser draws the text with its own fonts.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        # Reuse this layout: otherwise savefig would draw everything again to compute it, which takes a tenth of the
        # time of a report.
        figure.get_layout_engine().execute(figure)
        with plt.rc_context({"figure.constrained_layout.use": False}):
            figure.set_layout_engine(None)
        figure.savefig(text, format="svg", metadata={"Date": None})
    body = text.getvalue()
    return body[body.index("<svg") :]


def effects(series: list[tuple[str, str, list[tuple[str, Interval]]]], label: str) -> str | None:
    """Plots the intervals of each metric, one per series, as shares of the global control (the paper's figures 5, 10 and 13).

    Each series is (name, colour, [(metric, relative interval)]). An infinite end is drawn to the edge.
    """
    metrics = list(dict.fromkeys(metric for _, _, points in series for metric, _ in points))
    if not metrics:
        return None
    figure, axes = plt.subplots(figsize=(8, 0.9 + len(metrics) * (0.25 + 0.17 * len(series))))
    ends = [end for _, _, points in series for _, i in points for end in (i.low, i.high) if np.isfinite(end)]
    ends += [i.estimate for _, _, points in series for _, i in points] + [0.0]
    reach = 1.15 * 100 * max(abs(end) for end in ends) or 1
    for row, (name, colour, points) in enumerate(series):
        for number, (metric, interval) in enumerate(points):
            y = metrics.index(metric) + (row - (len(series) - 1) / 2) * 0.8 / max(len(series), 1)
            low, high = (float(np.clip(100 * end, -reach, reach)) for end in (interval.low, interval.high))
            axes.plot([low, high], [y, y], color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot(
                100 * interval.estimate,
                y,
                "o",
                color=colour,
                markersize=5,
                label=name if number == 0 else None,
            )
    axes.axvline(0, color="#444", linewidth=0.8)
    axes.set_yticks(range(len(metrics)), [known(metric).title for metric in metrics])
    axes.set_ylim(len(metrics) - 0.45, -0.55)
    axes.set_xlim(-reach, reach)
    axes.set_xlabel("change, % of the mean without the treatment, with 95% intervals")
    figure.legend(loc="outside upper center", ncols=3 if len(series) == 3 else 2, frameon=False)
    return svg(figure, label)


def relative(found: list[Estimate], which: str = "share") -> list[tuple[str, Interval]]:
    """Returns the points of a series of `effects`: the metrics with an interval, as shares."""
    pairs = [(each.metric, each.share if which == "share" else each.relative(each.paper)) for each in found]
    return [(metric, interval) for metric, interval in pairs if interval is not None]


def less_links(result: Analysis, found: list[Estimate]) -> list[tuple[str, Interval]]:
    """Returns the points of TTE or of the last spillover, corrected for the links' difference as in the verdict."""
    points = relative([each for each in found if not is_less_links(result, each.metric)])
    for each in found:
        if is_less_links(result, each.metric):
            links = result.links[each.metric]
            less = links.tte if each.kind == "tte" else links.spillover
            points += [] if less is None or less.share is None else [(each.metric, less.share)]
    return points


def is_less_links(result: Analysis, metric: str) -> bool:
    return metric in result.links and result.links[metric].tte is not None


def treatment_effects(result: Analysis) -> str | None:
    """Draws the paper's figure 5: naive tests at each allocation, TTE and spillover."""
    colours = [COLOURS["treatment"], COLOURS["control"], COLOURS["fourth"]]
    every = [each for found in result.found.values() for each in found]
    series = []
    for number, allocation in enumerate(levels(result.cells)):
        points = relative([e for e in every if e.kind == "tau" and e.allocation == allocation])
        series.append((f"A/B test, {allocation:.0%} treated", colours[number % len(colours)], points))
    tte = [e for e in every if e.kind == "tte"]
    series.append(("deployed to all", COLOURS["tte"], less_links(result, tte)))
    spill = [e for e in every if e.kind == "spillover" and e.allocation == levels(result.cells)[-1]]
    series.append(("the untreated (spillover)", COLOURS["other"], less_links(result, spill)))
    return effects([each for each in series if each[2]], "Treatment effects by metric")


def designs(result: Analysis) -> str | None:
    """Draws the paper's figure 10: TTE from the paired links, and from the designs emulated with their data."""
    series = [
        (
            "paired links",
            COLOURS["tte"],
            relative([e for found in result.found.values() for e in found if e.kind == "tte"], "paper"),
        )
    ]
    for design, colour in (("switchback", COLOURS["treatment"]), ("event", COLOURS["fourth"])):
        every = [e for found in result.emulations.values() for e in found if e.kind == design]
        series.append((f"{design}, emulated", colour, relative(every, "paper")))
    if not any(points for _, _, points in series[1:]):
        return None
    return effects(series, "The total effect by three designs")


def aggregation(result: Analysis) -> str | None:
    """Draws the paper's figure 13: the A/B tests' intervals by account, by hour and by day."""
    by_account, by_hour, by_day = [], [], []
    low = levels(result.cells)[0]
    for metric, found in result.found.items():
        tau = next((e for e in found if e.kind == "tau" and e.allocation == low), None)
        account = next((i for p, i in result.accounts.get(metric, []) if p == low), None)
        if tau is None or account is None or tau.mean == 0:
            continue
        by_account.append((metric, account.over(tau.mean)))
        by_hour.append((metric, tau.paper.over(tau.mean)))
        by_day += relative([tau])
    series = [
        ("by account", COLOURS["control"], by_account),
        ("by hour (Appendix B)", COLOURS["other"], by_hour),
        ("by day", COLOURS["tte"], by_day),
    ]
    return effects(
        [each for each in series if each[2]], "The A/B test's interval by what is taken for independent"
    )


def over_time(result: Analysis, metric: str) -> str:
    """Draws the paper's figure 6: the hourly mean of each cluster and arm, as a share of the largest."""
    figure, axes = plt.subplots(figsize=(8, 2.8))
    arms = (result.options.arms.treatment, result.options.arms.control)
    cells = result.cells[result.cells.arm.isin(arms)]
    if cells.cluster.nunique() > MOST_CLUSTERS:
        cells = cells.assign(cluster=f"{cells.cluster.nunique()} clusters")
    lines = []
    for (cluster, allocation, arm), rows in cells.groupby(["cluster", "allocation", "arm"]):
        line = _hourly(rows, metric)
        if len(line):
            lines.append((f"{cluster}, {allocation:.0%} treated: {arm}", arm, line))
    _draw_lines(axes, lines, result)
    axes.set_ylabel("share of the largest hour")
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    return svg(figure, f"{known(metric).title} over time")


def _draw_lines(axes: plt.Axes, lines: list[tuple[str, str, pd.Series]], result: Analysis) -> None:
    largest = max(float(line.max()) for _, _, line in lines) or 1
    first = min(int(line.index.min()) for _, _, line in lines)
    styles = ["-", "--", ":", "-."]
    for number, (name, arm, line) in enumerate(lines):
        colour = COLOURS["treatment" if arm == result.options.arms.treatment else "control"]
        # Add hours without sessions, so that they interrupt the line.
        whole = line.reindex(range(int(line.index.min()), int(line.index.max()) + 1))
        axes.plot(
            (whole.index - first) / DAY,
            whole / largest,
            styles[number // 2 % 4],
            color=colour,
            label=name,
            lw=1.2,
        )
    axes.set_xlabel("day of the experiment")
    axes.set_ylim(bottom=0)


def emulated_series(result: Analysis, metric: str, design: str) -> str | None:
    """Draws the paper's figure 11 or 12: the observations of an emulated event study or switchback."""
    if result.options.design != "paired" or not any(
        e.kind == design for e in result.emulations.get(metric, [])
    ):
        return None
    days = usable_days(result.cells)
    chosen = set(alternating(days) if design == "switchback" else from_the_middle(days))
    steps, arms = levels(result.cells), result.options.arms
    treated = _hourly(group(result.cells, arms.treatment, steps[-1]), metric)
    control = _hourly(group(result.cells, arms.control, steps[0]), metric)
    lines = [
        ("treated days", arms.treatment, treated[[hour // DAY in chosen for hour in treated.index]]),
        ("other days", arms.control, control[[hour // DAY in set(days) - chosen for hour in control.index]]),
    ]
    figure, axes = plt.subplots(figsize=(8, 2.4))
    _draw_lines(axes, lines, result)
    axes.set_ylabel("share of the largest hour")
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    name = "An event study" if design == "event" else "A switchback"
    return svg(figure, f"{name} of {known(metric).title}, emulated")


def _hourly(cells: pd.DataFrame, metric: str) -> pd.Series:
    hours = Hours.from_cells(cells, metric)
    return pd.Series(hours.z, index=hours.clock)


def by_allocation(result: Analysis, metric: str) -> str:
    """Draws figures 1, 7 and 8: mu_T(p) and mu_C(p) with the estimands."""
    figure, axes = plt.subplots(figsize=(5, 3.2))
    arms, steps = result.options.arms, levels(result.cells)
    ends = {}
    for arm, kind in ((arms.treatment, "treatment"), (arms.control, "control")):
        points = []
        for allocation in steps:
            rows = group(result.cells, arm, allocation)
            count = rows[f"n_{metric}"].sum()
            if count:
                points.append((allocation, rows[f"sum_{metric}"].sum() / count))
        if points:
            axes.plot(*zip(*points, strict=True), "o-", color=COLOURS[kind], label=f"{arm}: μ(p)")
        ends[kind] = points
    if len(steps) > 1 and ends["treatment"]:
        low, high = ends["control"][0], ends["treatment"][-1]
        axes.annotate(
            "", high, (high[0], low[1]), arrowprops={"arrowstyle": "->", "color": COLOURS["tte"], "lw": 1.6}
        )
        axes.plot([low[0], high[0]], [low[1]] * 2, ":", color=COLOURS["tte"], lw=1)
        axes.annotate(
            "TTE",
            (high[0], (low[1] + high[1]) / 2),
            (-6, 0),
            textcoords="offset points",
            ha="right",
            color=COLOURS["tte"],
        )
    axes.set_xlim(-0.05, 1.05)
    axes.set_xlabel("share of the link's sessions that are treated, p")
    axes.set_ylabel(unit(metric) or known(metric).title)
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    return svg(figure, f"{known(metric).title} by allocation")


def by_hour_of_day(result: Analysis, metric: str) -> str | None:
    """Draws the paper's figure 9: the effect by hour of day, of a deployment if possible, otherwise of the A/B test."""
    found = result.found[metric]
    chosen = next((e for e in found if e.kind == "tte"), found[0] if found else None)
    if chosen is None or chosen.mean == 0:
        return None
    rows = chosen.panel.by_hour_of_day()
    wide = pd.DataFrame({"hour": rows.hour_of_day, "treated": rows.treated, "z": rows.z}).pivot_table(
        index="hour", columns="treated", values="z"
    )
    change = 100 * (wide[1] / wide[0] - 1).dropna()
    if change.empty or not np.isfinite(change).all():
        return None
    figure, axes = plt.subplots(figsize=(5, 2.6))
    axes.bar(change.index, change, color=COLOURS["other"])
    axes.axhline(0, color="#444", linewidth=0.8)
    axes.set_xlabel("hour of day")
    axes.set_ylabel(f"{chosen.symbol}, % of that hour")
    return svg(figure, f"{known(metric).title}: effect by hour of day")
