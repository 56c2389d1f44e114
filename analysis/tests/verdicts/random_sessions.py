"""Sessions of random experiments with random metrics, for tests of statements that are true of any file."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

#: Monday, 2 March 2026, 00:00 UTC, in seconds since 1970.
START = 1772409600

ALLOCATIONS = [(0.95, 0.05), (0.75, 0.25), (0.95, 0.0), (1.0, 0.0), (0.5, 0.5), (0.95, 0.5, 0.05)]


def _skewed(sigma):
    return lambda random, day, treated: random.lognormal(5, sigma, len(day))


def _changing_unit(random, day, treated):
    return random.lognormal(8, 0.3, len(day)) / np.where(day < np.median(day), 1000, 1)


def _rare(random, day, treated):
    return np.where(random.random(len(day)) < 0.01, random.exponential(10, len(day)), 0)


def _mostly_missing(random, day, treated):
    return np.where(random.random(len(day)) < 0.97, np.nan, random.normal(10, 1, len(day)))


#: By name: a function that returns the metric's values for sessions, given a random generator, the day of each session,
#: and whether it is treated.
METRICS = {
    "skewed": _skewed(1),
    "more_skewed_ms": _skewed(2),
    "very_skewed_kbps": _skewed(3.5),
    "normal_ms": lambda random, day, treated: random.normal(100, 10, len(day)),
    "better_ms": lambda random, day, treated: random.normal(100, 10, len(day)) - 30 * treated,
    "zero": lambda random, day, treated: np.zeros(len(day)),
    "constant_s": lambda random, day, treated: np.full(len(day), 7.3),
    "negative_db": lambda random, day, treated: -random.lognormal(1, 1, len(day)),
    "about_zero": lambda random, day, treated: random.normal(0, 1, len(day)),
    "rare": _rare,
    "only_treated": lambda random, day, treated: np.where(treated, 1.0, 0.0),
    "only_untreated": lambda random, day, treated: np.where(treated, 0.0, 1.0),
    "by_day": lambda random, day, treated: 10.0 * (day % 3),
    "growing": lambda random, day, treated: day - START // 86400 + random.normal(0, 0.1, len(day)),
    "switches": lambda random, day, treated: random.poisson(0.3, len(day)).astype(float),
    "huge": lambda random, day, treated: 1e60 * random.lognormal(0, 2, len(day)),
    "tiny": lambda random, day, treated: 1e-60 * random.lognormal(0, 2, len(day)),
    "cauchy": lambda random, day, treated: random.standard_cauchy(len(day)),
    "throughput_kbps": _changing_unit,
    "mostly_missing": _mostly_missing,
    "first_only": lambda random, day, treated: np.where(np.arange(len(day)) == 0, 5.0, np.nan),
}


@st.composite
def experiments(draw, metrics=2):
    """Draws a table of sessions, as in a file, with `metrics` different metrics."""
    allocations = draw(st.sampled_from(ALLOCATIONS))
    before, days = draw(st.integers(0, 15)), draw(st.integers(1, 15))
    return sessions(
        np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
        design=draw(st.sampled_from(["paired", "paired", "after", "ab", "switchback", "event"])),
        allocations=allocations,
        before=before,
        days=days,
        start_hours=draw(st.integers(0, 23)),
        hours=draw(st.sampled_from([(0, 24, 1), (0, 24, 6), (3, 24, 6), (18, 24, 1), (12, 13, 1)])),
        missing=draw(st.sampled_from([0.0, 0.0, 0.1, 0.6])),
        a_day=draw(st.sampled_from([2, 12, 60])),
        accounts=draw(st.sampled_from([0, 0, 5, 60])),
        metrics=draw(
            st.lists(st.sampled_from(sorted(METRICS)), min_size=metrics, max_size=metrics, unique=True)
        ),
    )


def sessions(
    random, design, allocations, before, days, start_hours, hours, missing, a_day, accounts, metrics
):
    """Returns a table of sessions. `hours` is the range of hours of the day that have sessions, and `missing` the share
    of these hours that are without sessions all the same."""
    at = np.arange((before + days) * 24) + start_hours
    at = at[np.isin(at % 24, np.arange(*hours)) & (random.random(len(at)) >= missing)]
    experiment = at >= before * 24 + start_hours
    if design == "after":
        experiment = at < days * 24 + start_hours
    day = (at - start_hours) // 24
    rows = []
    for number, p in enumerate(allocations[:1] if design == "event" else allocations):
        allocation = np.where(experiment, p, 0.0)
        if design == "ab":
            allocation = np.full(len(at), allocations[0])
        elif design == "switchback":
            allocation = np.where(random.permuted(day % 2), allocations[0], allocations[-1])
        elif design == "event":
            allocation = np.where(experiment, allocations[0], allocations[-1])
        hourly = random.poisson(a_day / len(range(*hours)), len(at))
        rows.append(
            pd.DataFrame({"hour": np.repeat(at, hourly), "allocation": np.repeat(allocation, hourly)})
        )
        rows[-1]["cluster"] = f"link {number}"
    table = pd.concat(rows, ignore_index=True)
    count = len(table)
    account = random.integers(accounts, size=count) if accounts else np.arange(count)
    # An account keeps its random number, as at an edge.
    drawn = np.random.default_rng(1).random(max(accounts, count) + 1)[account]
    treated = drawn < table.allocation
    table["arm"] = np.where(treated, "treatment", "control")
    table["unit"] = [f"u{each}" for each in account]
    table["session_id"] = [f"s{each}" for each in range(count)]
    table["started_at"] = START + 3600 * table.pop("hour") + random.integers(3600, size=count)
    for name in metrics:
        table[name] = METRICS[name](random, table.started_at.to_numpy() // 86400, treated.to_numpy())
    return table
