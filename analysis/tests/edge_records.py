"""Builds records of sessions as an edge stores them.

Tests of records and of designs call this module, which must not write files.
"""

from session_files import HEADER, sessions

EDGE = {"schema_version": 1, "experiment": "pacing", "window": None, "washout": False, "final": False}
GOOD = [{**EDGE, "sequence": 0, **dict(zip(HEADER, row, strict=True))} for row in sessions(days=5)]


def switchback():
    """Yields two clusters, each with six windows of a day in three pairs, in opposite orders. In pair i of the six
    pairs, all sessions of the mostly treated window have i% more than the 100 of the other window."""
    for number, cluster in enumerate(("one", "two")):
        for window in range(6):
            pair = window // 2
            high = (window + pair + number) % 2 == 0
            for hour in range(24):
                for arm in ("treatment", "control"):
                    effect = 3 * number + pair + 1 if high else 0
                    yield {
                        **EDGE,
                        "sequence": 0,
                        "session_id": f"{cluster}-{window}-{hour}-{arm}",
                        "unit": f"{cluster}-{window}-{hour}-{arm}",
                        "cluster": cluster,
                        "arm": arm,
                        "allocation": 0.9 if high else 0.1,
                        "window": window,
                        "started_at": f"2026-03-0{window + 2}T{hour:02}:30Z",
                        "min_rtt_ms": 100 + effect,
                    }
