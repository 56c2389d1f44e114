"""Summarizes the refused estimates, with one line per reason."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..reading.schema import metric as known

#: The maximum number of metrics to name; the others are only counted.
MOST_NAMED = 6


@dataclass(frozen=True)
class Refusal:
    """An estimate that the data do not allow: its symbol or name, its metric and the reason."""

    what: str
    metric: str
    reason: str


def summary(refusals: Iterable[Refusal], metrics: Iterable[str]) -> list[str]:
    """Returns lines `REASON: ESTIMATES, for METRICS`. `metrics` are all metrics to analyze."""
    metrics = list(metrics)
    by_reason: dict[str, dict[str, list[str]]] = {}
    for each in refusals:
        by_metric = by_reason.setdefault(each.reason, {})
        if each.what not in (named := by_metric.setdefault(each.metric, [])):
            named.append(each.what)
    return [
        f"{reason}: {'; '.join(_group_metrics(by_metric, metrics))}"
        for reason, by_metric in by_reason.items()
    ]


def _group_metrics(by_metric: dict[str, list[str]], metrics: list[str]) -> list[str]:
    """Groups the metrics for which the same estimates are refused."""
    together: dict[tuple[str, ...], list[str]] = {}
    for metric, named in by_metric.items():
        together.setdefault(tuple(named), []).append(metric)
    return [f"{', '.join(named)}, for {_names(some, metrics)}" for named, some in together.items()]


def _names(some: list[str], metrics: list[str]) -> str:
    if len(some) > 1 and set(some) == set(metrics):
        return f"all {len(some)} metrics"
    titles = [known(metric).title for metric in some]
    if len(titles) > MOST_NAMED:
        titles = [*titles[: MOST_NAMED - 1], f"{len(titles) - MOST_NAMED + 1} more"]
    return ", ".join(titles)
