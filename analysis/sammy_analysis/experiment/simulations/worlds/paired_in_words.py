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
    cells = pd.DataFrame(
        rows, columns=["cluster", "allocation", "arm", "hour", "n_min_rtt_ms", "sum_min_rtt_ms"]
    )
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
    columns = ["cluster", "allocation", "arm", "hour", "n_min_rtt_ms", "sum_min_rtt_ms"]
    cells = pd.DataFrame(rows, columns=columns)
    return cells.assign(sessions=cells.n_min_rtt_ms, offset=0)


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
        "paired links whose levels differ, 14+14 days: intervals that hold the truth",
        0.93,
        1.0,
        tuple(
            slow(f"by {differ:.0%}, an effect of {effect:.0%}", effect_on_own_link, differ, effect)
            for differ, effect in ((-0.6, -0.5), (2.0, -0.5), (2.0, -0.1), (0.2, 0.0))
        ),
    ),
)
