"""The input's schema, with one row per session, and the properties of known metrics."""

import json
from dataclasses import dataclass
from pathlib import Path

#: The columns of an edge's rows, and the properties of this project's metrics. Generated and checked by
#: tools/structure/measurements.test.ts from emulation/player/records/session-measurements.ts and edge/sessions/beacon.ts.
_MADE = json.loads(Path(__file__).with_name("measurements.json").read_text(encoding="utf-8"))

#: The version of the schema below. A file may state its version in a column or field `schema_version`.
SCHEMA_VERSION = 1

#: The required columns: session_id, unit (the account or device that was assigned), cluster (the link), arm, allocation
#: (the share of the cluster's traffic that is treated, 0 to 1) and started_at (ISO 8601, or seconds since 1970; UTC
#: unless it names a time zone).
REQUIRED = ("session_id", "unit", "cluster", "arm", "allocation", "started_at")

#: Known columns that are not metrics, mostly an edge's own. `sequence` numbers the records of a session, of which the
#: last is used. `window` numbers a switchback's windows from its start. `washout`: whether the session began in that
#: window's wash-out. `pacing_honored` is reported by the player.
KNOWN = (*dict.fromkeys((*REQUIRED, *_MADE["columns"])), "bucket", "pacing_honored")


@dataclass(frozen=True)
class Metric:
    """The properties of a metric: its title, and whether less is better (None if neither direction is)."""

    title: str
    less_is_better: bool | None


METRICS = {
    "throughput_kbps": Metric("Throughput", False),
    **{name: Metric(**known) for name, known in _MADE["metrics"].items()},
}

UNITS = {
    "_bps": "bit/s",
    "_kbps": "kbit/s",
    "_mbps": "Mbit/s",
    "_gbps": "Gbit/s",
    "_ms": "ms",
    "_s": "s",
    "_pct": "%",
    "_db": "dB",
}


def metric(name: str) -> Metric:
    """Returns the known metric of this name, in any unit; for an unknown metric, the name is the title."""
    same = (other for other in METRICS if unit(other) and stem(other) == stem(name))
    known = name if name in METRICS or not unit(name) else next(same, name)
    return METRICS.get(known) or Metric(name.replace("_", " "), None)


def unit(name: str) -> str:
    """Returns the unit at the end of a metric's name, or ''."""
    return next((unit for ending, unit in UNITS.items() if name.endswith(ending)), "")


def stem(name: str) -> str:
    """Returns a metric's name without its unit. Two columns with the same stem are one metric in two units."""
    return next((name.removesuffix(ending) for ending in UNITS if name.endswith(ending)), name)
