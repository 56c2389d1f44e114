"""The part of the report on a single metric: means, figures over time, and quantiles.

report.py calls this module for each metric. It must not compare metrics.
"""

from html import escape

from ...page import figure, table
from ..analyze import Analysis
from ..estimators.estimands import levels
from ..reading.schema import metric as known
from ..reading.schema import unit
from ..sentences.numbers import describe_change
from . import figures


def metric_section(result: Analysis, metric: str) -> str:
    text = f"<details><summary>{escape(known(metric).title)}</summary>" + _means(result, metric)
    text += figure(figures.over_time(result, metric), "The mean of every hour, as a share of the largest.")
    text += figure(
        figures.by_allocation(result, metric),
        "The mean of either arm by the share that is treated. Here every session counts the same.",
    )
    text += figure(
        figures.by_hour_of_day(result, metric),
        "The effect in each hour of the day: networks are busy at peak hours.",
    )
    for design in ("event", "switchback"):
        text += figure(
            figures.emulated_series(result, metric, design),
            f"An emulated {design}{' study' if design == 'event' else ''}: what would have been seen.",
        )
    rows = [
        [
            f"{100 * q.quantile:g}%",
            escape(q.symbol),
            describe_change(q.share) if q.share else "",
            escape(q.interval.basis),
        ]
        for q in result.quantiles.get(metric, [])
    ]
    if rows:
        text += "<h3>Quantiles</h3>" + table(
            ["Quantile", "", "Effect (95%, by day)", "Rests on"], rows, set()
        )
    return text + "</details>"


def _means(result: Analysis, metric: str) -> str:
    rows = []
    for allocation in levels(result.cells):
        for arm in (result.options.arms.treatment, result.options.arms.control):
            cells = result.cells[(result.cells.arm == arm) & (result.cells.allocation == allocation)]
            count, all_sessions = int(cells[f"n_{metric}"].sum()), int(cells.sessions.sum())
            if all_sessions:
                mean = f"{cells[f'sum_{metric}'].sum() / count:.5g} {unit(metric)}" if count else "-"
                rows.append(
                    [f"{allocation:.0%}", escape(arm), f"{count:,}", f"{all_sessions - count:,}", mean]
                )
    header = ["Treated share", "Arm", "Sessions with a value", "Without one", "Mean"]
    return "<h3>Means</h3>" + table(header, rows, {0, 2, 3, 4})
