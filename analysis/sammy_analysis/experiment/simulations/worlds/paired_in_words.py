"""Simulates paired links as hourly cells, and returns which verdicts report a change or interference."""

import numpy as np
import pandas as pd

from ...estimators.estimands import Options, estimates, interference
from ...estimators.links import check_links, with_own_means
from ...sentences.verdict import verdict
from .days import MONDAY, simulate_days
from .group import Group, slow

PAIRED = Options(design="paired")


def in_words(
    kind: str, before: int, after: int, random: np.random.Generator, count: int, starts: int = 0, effect=0.0
) -> list[bool]:
    """Returns which verdicts on paired links with a baseline report a change. Simulates hourly cells, and evaluates the
    text of the verdict."""
    is_after = effect * (np.arange(before + after) >= before)
    return [
        verdict("min_rtt_ms", *_read(_cells(values + is_after, before, starts))).outcome
        in ("better", "worse")
        for values in simulate_days(kind, random, count, before, after)
    ]


def _cells(differences: np.ndarray, before: int, starts: int) -> pd.DataFrame:
    """Creates four hours a day of two links with mean 100 plus their difference in %, without a treatment effect.

    The experiment starts at the hour `starts` of its first day; the hours before belong to the baseline.
    """
    rows = []
    for link in (0, 1):
        for day, difference in enumerate(differences):
            level = 100 + difference * (link == 0)
            for hour in range(0, 24, 6):
                p = 0.0 if 24 * day + hour < 24 * before + starts else (0.95, 0.05)[link]
                for arm, share in (("treatment", p), ("control", 1 - p)):
                    n = round(100 * share)
                    if n > 0:
                        rows.append((str(link), p, arm, 24 * (MONDAY + day) + hour, n, n * level))
    return _make_cells(rows)


def _make_cells(rows: list[tuple]) -> pd.DataFrame:
    columns = ["cluster", "allocation", "arm", "hour", "n_min_rtt_ms", "sum_min_rtt_ms"]
    cells = pd.DataFrame(rows, columns=columns)
    return cells.assign(sessions=cells.n_min_rtt_ms, offset=0)


def _read(cells: pd.DataFrame) -> tuple:
    same = cells[cells.allocation == 0]
    cells = cells[cells.allocation > 0].reset_index(drop=True)
    found, _ = estimates(cells, "min_rtt_ms", PAIRED)
    tests, links = interference(found), check_links(same, cells, "min_rtt_ms", found, PAIRED)
    return with_own_means(found, links), tests, "paired", links


def links_of_levels(
    kind: str, differ: float, effect: float, random: np.random.Generator, count: int
) -> list[bool]:
    """Returns whether a verdict reports interference for paired links over seven days without a baseline. The level of
    the mostly treated link is higher by the share `differ`. The effect of the treatment is a share of the level or a
    constant."""
    found = []
    for _ in range(count):
        cells = _cells_of_levels(kind, differ, effect, random)
        estimated, _ = estimates(cells, "min_rtt_ms", PAIRED)
        said = verdict("min_rtt_ms", estimated, interference(estimated), "paired")
        found.append(said.interference == "shown")
    return found


def links_that_rise(kind: str, differ: float, random: np.random.Generator, count: int) -> list[bool]:
    """Returns which verdicts on paired links report a change or interference without an if. The level of the mostly treated
    link is higher by the share `differ`. After a baseline of 14 days, both levels rise by 30% or by 30, and the treatment of
    14 days has no effect."""
    found = []
    for _ in range(count):
        said = verdict("min_rtt_ms", *_read(_cells_of_levels(kind, differ, 0.0, random, 14, 14, 0.3)))
        found.append(said.outcome in ("better", "worse") or said.interference == "shown")
    return found


def effect_on_own_link(differ: float, effect: float, random: np.random.Generator, count: int) -> list[bool]:
    """Returns which intervals hold `effect`, the change as a share of a link's level. The level of the mostly treated link is
    higher by the share `differ`, as 14 days before the experiment of 14 days show."""
    found = []
    for _ in range(count):
        *_, links = _read(_cells_of_levels("a share", differ, effect, random, 14, 14))
        found.append(links.tte.share.low <= effect <= links.tte.share.high)
    return found


def links_with_busy_hours(
    gap: float, effect: float, treated: float, random: np.random.Generator, count: int
) -> list[bool]:
    """Returns which verdicts on paired links, after a baseline of 14 days, report a change or interference, although there is
    none.

    The mostly treated link, of which `treated` are treated, has a tenth of the other's sessions. In the busy half of the day,
    its level is higher by the share `gap`. In the quiet half there is a tenth of the sessions, and only there the treatment
    takes the share `effect`, which is then no false change.
    """
    found = []
    for _ in range(count):
        said = verdict("min_rtt_ms", *_read(_cells_of_hours(gap, effect, treated, random)))
        is_false = effect == 0 and said.outcome in ("better", "worse")
        found.append(is_false or said.interference == "shown" or "implies" in said.decided)
    return found


def _cells_of_hours(
    gap: float, effect: float, treated: float, random: np.random.Generator, days: int = 14
) -> pd.DataFrame:
    """Creates 24 hours a day of two links. A link's level varies by 1% from day to day, and sessions by 10%."""
    rows = []
    for link, share in (("0", treated), ("1", 1 - treated)):
        for day in range(2 * days):
            p = share if day >= days else 0.0
            usual = 100 + random.normal()
            for hour in range(24):
                is_busy = hour >= 12
                sessions = (60 if is_busy else 6) * (1 if link == "0" else 10)
                level = usual * (1 + gap * (is_busy and link == "0"))
                for arm, of_arm in (("treatment", p), ("control", 1 - p)):
                    n = random.poisson(sessions * of_arm)
                    if n > 0:
                        own = level * (1 - effect * (arm == "treatment" and not is_busy))
                        total = n * own + 10 * np.sqrt(n) * random.normal()
                        rows.append((link, p, arm, 24 * (MONDAY + day) + hour, n, total))
    return _make_cells(rows)


def _cells_of_levels(
    kind: str,
    differ: float,
    effect: float,
    random: np.random.Generator,
    before: int = 0,
    days: int = 7,
    rise: float = 0.0,
) -> pd.DataFrame:
    """Creates four hours a day of two links, of `before` days without treatment and `days` of the experiment. The level of a
    link varies by 2% from day to day, and the mean of a hundred sessions by 1%. Levels rise when the experiment begins."""
    rows = []
    for link, treated in (("0", 0.95), ("1", 0.05)):
        usual = 100 * (1 + differ * (treated > 0.5))
        for day in range(before + days):
            p, risen = (treated, rise) if day >= before else (0.0, 0.0)
            base = usual + risen * (usual if kind == "a share" else 100) + 2 * random.normal()
            for arm, share in (("treatment", p), ("control", 1 - p)):
                n = round(400 * share)
                if n == 0:
                    continue
                own = effect * (base if kind == "a share" else 100.0) * (arm == "treatment")
                for hour in range(0, 24, 6):
                    level = base + own + random.normal() * np.sqrt(100 / n)
                    rows.append((link, p, arm, 24 * (MONDAY + day) + hour, n, n * level))
    return _make_cells(rows)


GROUPS = (
    Group(
        "paired links of 7 days without a baseline, whose levels differ: verdicts that arms interfere",
        0.0,
        0.05,
        tuple(
            slow(
                f"by {differ:.0%}; the treatment takes {kind}, {effect:.0%}",
                links_of_levels,
                kind,
                differ,
                -effect,
            )
            for kind, differ, effect in (
                ("a share", 0.1, 0.5),
                ("a share", 1.0, 0.1),
                ("as much", 0.1, 0.5),
                ("as much", 1.0, 0.1),
            )
        ),
    ),
    Group(
        "paired links whose levels differ, and rise by 30% when the experiment begins, no effect: changes or interference "
        "without an if",
        0.0,
        0.05,
        tuple(
            slow(f"by {differ:.0%}; the levels rise by {kind}", links_that_rise, kind, differ)
            for kind in ("a share", "as much")
            for differ in (-0.3, 0.0, 0.5)
        ),
    ),
    Group(
        "paired links that differ only in busy hours, with few sessions in quiet ones, 14+14 days: false changes or interference",
        0.0,
        0.05,
        tuple(
            slow(
                f"by {gap:.0%}; {treated:.0%} treated; the treatment takes {effect:.0%} in quiet hours",
                links_with_busy_hours,
                gap,
                effect,
                treated,
            )
            for gap, effect, treated in (
                (0.0, 0.0, 0.95),
                (0.1, 0.0, 0.95),
                (0.3, 0.0, 0.95),
                (0.3, 0.0, 0.8),
                (0.0, 0.2, 0.95),
                (0.3, 0.2, 0.95),
            )
        ),
    ),
    Group(
        "paired links whose levels differ, 14+14 days: intervals that hold the truth",
        0.93,
        1.0,
        tuple(
            slow(f"by {differ:.0%}, an effect of {effect:.0%}", effect_on_own_link, differ, effect)
            for differ, effect in ((-0.6, -0.5), (2.0, -0.5), (2.0, -0.1), (0.2, 0.0))
        ),
    ),
)
