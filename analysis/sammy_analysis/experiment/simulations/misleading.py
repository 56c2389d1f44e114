"""The worlds of `coverage`: links that wander, effects that spill over, accounts that come back, and what else misleads.

A world is a function of a random generator and a number of replications, which returns for each whether a verdict was false
(there is no effect), or whether an interval held the truth. Days are simulated by the arms' daily means where the estimators
take days, so that thousands are quick; the last lines of the first group go from cells of hours to the words of a verdict.
"""

from collections.abc import Callable
from functools import partial

import duckdb
import ibis
import numpy as np
import pandas as pd
from scipy import stats

from ..designs.calculator import block_days, known_freedom, multiple
from ..estimators.cells import accounts_expression, cells_expression, sort
from ..estimators.day_robust import by_randomisation, means_over_days, over_days
from ..estimators.estimands import Options, estimates, interference
from ..estimators.extrapolate import weights
from ..estimators.links import check_links
from ..estimators.quantiles import _compared
from ..estimators.ratio import share_of
from ..estimators.returning import Contrasts, widen
from ..estimators.step import design_of, detectable, excluding_zero
from ..estimators.step import said_of as steps_said_of
from ..estimators.sufficient import check_sufficient, insufficient
from ..reading.sample_ratio import Ratio, shared
from ..reading.sample_ratio import p_value as p_of_counts
from ..sentences.verdict import Verdict, verdict

#: A Monday, in days since 1970.
MONDAY = 20514
#: What paired links differ by, in standard deviations of a day.
LINKS_DIFFER = 6.0


def noise(kind: str, random: np.random.Generator, count: int, days: int) -> np.ndarray:
    """Series of days, a row each, of variance 1 (of a wandering level: its steps')."""
    steps = random.normal(size=(count, days))
    if kind.startswith("AR"):
        rho = float(kind[3:])
        values = steps.copy()
        for day in range(1, days):
            values[:, day] = rho * values[:, day - 1] + sqrt_less(rho) * steps[:, day]
        return values
    if kind == "random walk":
        return steps.cumsum(axis=1)
    if kind == "heavy-tailed walk":
        return random.standard_t(2.5, size=(count, days)).cumsum(axis=1)
    if kind == "moving average":
        more = np.concatenate([random.normal(size=(count, 2)), steps], axis=1)
        return (more[:, 2:] + more[:, 1:-1] + more[:, :-2]) / np.sqrt(3)
    if kind == "heavy tails":
        return random.standard_t(2.5, size=(count, days))
    return steps


def sqrt_less(rho: float) -> float:
    return float(np.sqrt(1 - rho**2))


def of_days(kind: str, random: np.random.Generator, count: int, before: int, after: int) -> np.ndarray:
    """The difference between paired links by day, at the same allocation first, and without an effect later."""
    days = before + after
    weekday = np.arange(days) % 7
    values = LINKS_DIFFER + noise(
        "AR 0.8" if kind == "weekends differ, AR 0.8" else kind, random, count, days
    )
    later = np.arange(days) >= before
    if kind.startswith("weekends differ"):
        values += LINKS_DIFFER * (weekday >= 5)
    elif kind == "every weekday differs":
        values += 2 * np.sin(2 * np.pi * weekday / 7)
    elif kind == "a day off":
        values += 10 * (random.integers(days, size=(count, 1)) == np.arange(days))
    elif kind.startswith("trend"):
        values += float(kind.split()[1]) * np.arange(days)
    elif kind == "noisier later":
        values = LINKS_DIFFER + (values - LINKS_DIFFER) * np.where(later, 3, 1)
    elif kind == "shift within the experiment":
        values += 2 * (np.arange(days) >= before + after // 2)
    return values


def paired(kind: str, before: int, after: int, random: np.random.Generator, count: int) -> np.ndarray:
    """False verdicts of paired links with a baseline."""
    days = MONDAY + np.arange(before + after)
    is_after = (days >= MONDAY + before).astype(float)
    return excluding_zero(days, is_after, of_days(kind, random, count, before, after))


def shown(effect: float, before: int, after: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Verdicts on an effect of so many standard deviations of a day, where days are independent."""
    days = MONDAY + np.arange(before + after)
    is_after = (days >= MONDAY + before).astype(float)
    return excluding_zero(days, is_after, of_days("", random, count, before, after) + effect * is_after)


def shifted(size: float, at: int, random: np.random.Generator, count: int) -> np.ndarray:
    """False verdicts on links of 14+14 days, one of which shifts for good by so many standard deviations of a day, so many days
    after the experiment began. A verdict names the days on which a shift would look the same, and is false beside them."""
    days = MONDAY + np.arange(28)
    is_after, shift = (days >= MONDAY + 14).astype(float), size * (days >= MONDAY + 14 + at)
    found, earliest, latest = steps_said_of(days, is_after, of_days("", random, count, 14, 14) + shift)
    return found & ~((earliest <= MONDAY + 14 + at) & (MONDAY + 14 + at <= latest))


def switchback_shown(effect: float, random: np.random.Generator, count: int) -> list[bool]:
    """Verdicts on an effect of so many standard deviations of a day, of a switchback of fourteen days in pairs."""
    found, window = [], np.arange(14)
    for values in noise("", random, count, 14):
        arms = np.ravel([(f, 1 - f) for f in random.integers(2, size=7)])
        interval = by_randomisation(values + effect * arms, arms, np.zeros(14, int), window, window // 2)
        found.append(interval.low > 0)
    return found


def event(kind: str, random: np.random.Generator, count: int) -> np.ndarray:
    """False effects of an event study of fourteen days, before anything is said of what it assumes."""
    after = (np.arange(14) >= 7).astype(float)
    design = design_of(tuple(range(MONDAY, MONDAY + 14)), tuple(after.tolist()))
    below = design.below(noise(kind, random, count, 14))
    return np.minimum(below, 1 - below) < design.tail


def in_words(
    kind: str, before: int, after: int, random: np.random.Generator, count: int, starts: int = 0, effect=0.0
) -> list[bool]:
    """Verdicts that say a change, of paired links with a baseline, from cells of hours to the words."""
    options = Options(design="paired")
    is_after = effect * (np.arange(before + after) >= before)
    return [
        verdict("min_rtt_ms", *_read(_cells(values + is_after, before, starts), options)).outcome
        in ("better", "worse")
        for values in of_days(kind, random, count, before, after)
    ]


def _cells(differences: np.ndarray, before: int, starts: int) -> pd.DataFrame:
    """Four hours a day of two links, with 100 and what they differ by in %, and nobody who feels a treatment.

    The experiment starts at this hour of its first day, of which the hours before are of the baseline.
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


def links_of_levels(
    kind: str, differ: float, effect: float, random: np.random.Generator, count: int
) -> list[bool]:
    """Whether arms are said to interfere by paired links of seven days without a baseline, of which the mostly treated one has a
    level that is higher by a share `differ`, and on which the treatment takes or adds a share of the level, or always as much."""
    found = []
    for _ in range(count):
        cells = _cells_of_levels(kind, differ, effect, random)
        estimated, _ = estimates(cells, "min_rtt_ms", Options(design="paired"))
        said = verdict("min_rtt_ms", estimated, interference(estimated), "paired")
        found.append(said.interference == "shown")
    return found


def _cells_of_levels(kind: str, differ: float, effect: float, random: np.random.Generator) -> pd.DataFrame:
    """Four hours a day of two links; a link's day varies by 2%, and an hour of a hundred sessions of an arm by 1%."""
    rows = []
    for link, p in (("0", 0.95), ("1", 0.05)):
        for day in range(7):
            base = 100 * (1 + differ * (p > 0.5)) + 2 * random.normal()
            for arm, share in (("treatment", p), ("control", 1 - p)):
                n = round(400 * share)
                own = effect * (base if kind == "a share" else 100.0) * (arm == "treatment")
                for hour in range(0, 24, 6):
                    level = base + own + random.normal() * np.sqrt(100 / n)
                    rows.append((link, p, arm, 24 * (MONDAY + day) + hour, n, n * level))
    columns = ["cluster", "allocation", "arm", "hour", "n_min_rtt_ms", "sum_min_rtt_ms"]
    cells = pd.DataFrame(rows, columns=columns)
    return cells.assign(sessions=cells.n_min_rtt_ms, offset=0)


def _read(cells: pd.DataFrame, options: Options) -> tuple:
    same = cells[cells.allocation == 0]
    cells = cells[cells.allocation > 0].reset_index(drop=True)
    found, _ = estimates(cells, "min_rtt_ms", options)
    return found, interference(found), "paired", check_links(same, cells, "min_rtt_ms", found, options)


def extrapolated(
    days: int, random: np.random.Generator, count: int, steps=(0.05, 0.95), effect=-0.2
) -> np.ndarray:
    """Coverage of TTE where all of it spills over: each link's level falls by its share of treated sessions."""
    by = weights(list(steps), list(steps))
    effects, levels = np.zeros((count, days)), np.zeros((count, days))
    for p in steps:
        link = 100 * (1 + effect * p) + random.normal(size=(count, days))
        for of_arm, sign, share in ((by.treated, 1, p), (by.control, -1, 1 - p)):
            arm = link + 0.3 / np.sqrt(share) * random.normal(size=(count, days))
            effects += sign * of_arm.get(p, 0.0) * arm
            levels += (sign == -1) * of_arm.get(p, 0.0) * arm
    return _hold(effects, levels, effect)


def relative(effect: float, random: np.random.Generator, count: int) -> np.ndarray:
    """Coverage of a change in %, where a day's level varies by 10% on either link by itself."""
    days = 7
    control = 100 * (1 + 0.1 * random.normal(size=(count, days)))
    treated = 100 * (1 + effect) * (1 + 0.1 * random.normal(size=(count, days)))
    return _hold(treated - control, control, effect)


def _hold(effects: np.ndarray, levels: np.ndarray, truth: float) -> np.ndarray:
    """Whether the share that is true is in the interval: whether the effect less that share of the level may be 0."""
    means, errors, freedom = means_over_days(effects - truth * levels)
    one = share_of(lambda share: over_days(effects[0] - share * levels[0]), float(levels[0].mean()))
    held = np.abs(means) <= _t(freedom) * errors
    # The same as by the interval's ends.
    assert held[0] == (one.low <= truth <= one.high)
    return held


def _t(freedom: int) -> float:
    return float(stats.t.ppf(0.975, freedom))


def over_days_of(kind: str, days: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Coverage of the mean of days' differences, of arms at the same time."""
    means, errors, freedom = means_over_days(noise(kind, random, count, days))
    return np.abs(means) <= _t(freedom) * errors


def quantile(random: np.random.Generator, count: int) -> list[bool]:
    """Coverage of the effect on the 90% quantile of 60 sessions a day, of which a treated one has a tenth less."""
    held, days = [], 10
    for _ in range(count):
        of_arms = (
            pd.Series(np.quantile(factor * random.lognormal(3, 1, size=(60, days)), 0.9, axis=0))
            for factor in (0.9, 1.0)
        )
        treated, control = of_arms
        _, share = _compared(treated, control, float(control.mean()), False)
        held.append(share.low <= -0.1 <= share.high)
    return held


def switchback(carried_hours: int, washout: int, random: np.random.Generator, count: int) -> list[bool]:
    """Coverage of a switchback of 20 days in pairs, in which a window's effect goes on for hours in the next one."""
    hours = np.arange(20 * 24)
    window = hours // 24
    held = []
    for _ in range(count):
        first = random.integers(2, size=10)
        arm = np.ravel([(f, 1 - f) for f in first])[window]
        shown = np.concatenate([[arm[0]] * carried_hours, arm[: len(arm) - carried_hours]])
        z = 2 * shown + random.normal(size=20)[window] + random.normal(size=len(hours))
        kept = hours % 24 >= washout
        found = by_randomisation(z[kept], arm[kept], hours[kept] % 24, window[kept], window[kept] // 2)
        held.append(found.low <= 2 <= found.high)
    return held


def unequal(random: np.random.Generator, count: int) -> list[bool]:
    """False effects of a switchback on three clusters, of which one has a hundred times the noise of another."""
    windows = np.arange(8)
    window = np.concatenate([windows + 8 * cluster for cluster in range(3)])
    size = np.repeat([1.0, 10.0, 100.0], 8)
    false = []
    for _ in range(count):
        arms = np.concatenate([np.ravel([(f, 1 - f) for f in random.integers(2, size=4)]) for _ in range(3)])
        z = size * (10 + noise("AR 0.5", random, 3, 8).ravel())
        found = by_randomisation(z, arms, np.repeat([0, 1, 2], 8), window, window // 2)
        false.append(found.excludes_zero())
    return false


def returning(random: np.random.Generator, count: int) -> list[bool]:
    """False effects of an A/B test of which the same 80 accounts come on each of six days, and keep their level."""
    false, options = [], Options(design="paired")
    for _ in range(count):
        rows = pd.DataFrame(_sessions(random))
        connection = ibis.duckdb.from_connection(duckdb.connect())
        table = connection.create_table("sessions", ibis.memtable(rows))
        cells = sort(cells_expression(table, ["x"]).execute()).assign(offset=0)
        found, _ = estimates(cells, "x", options)
        found, _, _ = widen(Contrasts(cells, cells[:0], "x", options), table, 0, found, [], None)
        false.append(next(e.robust for e in found if e.kind == "tau").excludes_zero())
        connection.disconnect()
    return false


def _sessions(random: np.random.Generator) -> dict[str, np.ndarray]:
    account, day = np.repeat(np.arange(160), 6), np.tile(np.arange(6), 160)
    p = np.where(account < 80, 0.75, 0.25)
    level = 100 + 20 * random.normal(size=160)[account]
    return {
        "unit": account.astype(str),
        "cluster": np.where(account < 80, "one", "two"),
        "arm": np.where(account % 80 < 80 * p, "treatment", "control"),
        "allocation": p,
        "started_s": 3600.0 * (24 * (MONDAY + day) + random.integers(24, size=len(day))),
        "x": level + random.normal(size=len(day)),
    }


def ab_skewed(sigma: float, a_day: int, random: np.random.Generator, count: int) -> np.ndarray:
    """False effects of an A/B test of fourteen days with 5% treated, so many of them a day, whose values are lognormal."""
    days, others = 14, 19 * a_day
    found = np.empty(count, dtype=bool)
    for at in range(count):
        treated, control = (random.lognormal(0, sigma, (days, n)) for n in (a_day, others))
        interval = over_days(treated.mean(axis=1) - control.mean(axis=1))
        apart = np.concatenate([each.ravel() - each.mean() for each in (treated, control)])
        skewness = float((apart**3).mean() / (apart**2).mean() ** 1.5)
        found[at] = interval.excludes_zero() and not insufficient(
            treated.size, control.size, skewness, come_back=False
        )
    return found


def sample_ratio(accounts: int, random: np.random.Generator, count: int) -> list[bool]:
    """False alarms on two links with 95% and 5% treated, whose 28 windows have so many accounts each, drawn as planned."""
    found = []
    for _ in range(count):
        tests = []
        for link, p in (("one", 0.95), ("two", 0.05)):
            drawn = random.binomial(accounts, p, size=28).tolist()
            counts = [(treated, accounts - treated) for treated in drawn]
            counts.append((sum(drawn), 28 * accounts - sum(drawn)))
            tests += [Ratio(link, p, 0, *each, p_of_counts(*each, p)) for each in counts]
        found.append(any(each.alarm for each in shared(tests)))
    return found


#: Of accounts that come back, so many metrics are drawn at once, since it takes longer to count sessions than to judge them.
AT_ONCE = 20


def few_accounts(accounts: int, random: np.random.Generator, count: int) -> list[bool]:
    """Whether arms are said to interfere in a switchback of fourteen days on a link with so many accounts, each of which keeps
    its place in the draw: of those with the highest places, none is ever treated."""
    found: list[bool] = []
    while len(found) < count:
        metrics = [f"m{number}" for number in range(min(AT_ONCE, count - len(found)))]
        rows = _accounts_of_a_switchback(accounts, metrics, random)
        found += [each.interference == "shown" for each in said_of(rows, metrics, "switchback")]
    return found


def _accounts_of_a_switchback(accounts: int, metrics: list[str], random: np.random.Generator) -> pd.DataFrame:
    days = 14
    high = np.ravel([(first, 1 - first) for first in random.integers(2, size=days // 2)])
    account, day = (each.ravel() for each in np.meshgrid(np.arange(accounts), np.arange(days)))
    comes = random.random(len(day)) < 0.6
    account, day = account[comes], day[comes]
    allocation = np.where(high[day], 0.95, 0.05)
    place, usual = random.random(accounts), random.integers(24, size=accounts)
    hour = (usual[account] + random.integers(-2, 3, size=len(day))) % 24
    rows = {
        "unit": account.astype(str),
        "cluster": "link",
        "arm": np.where(place[account] < allocation, "treatment", "control"),
        "allocation": allocation,
        "started_s": 3600.0 * (24 * (MONDAY + day) + hour),
        "window": day,
    }
    for metric in metrics:
        of_account, of_day = 20 * random.normal(size=accounts), 2 * random.normal(size=days)
        rows[metric] = 100 + of_account[account] + of_day[day] + 20 * random.normal(size=len(day))
    return pd.DataFrame(rows)


def said_of(rows: pd.DataFrame, metrics: list[str], design: str) -> list[Verdict]:
    """The verdicts on sessions of accounts that come back, from the sessions to the words."""
    options = Options(design=design)
    connection = ibis.duckdb.from_connection(duckdb.connect())
    table = connection.create_table("sessions", ibis.memtable(rows))
    cells = sort(cells_expression(table, metrics).execute()).assign(offset=0)
    verdicts = []
    for metric in metrics:
        found, _ = estimates(cells, metric, options)
        found = check_sufficient(found, accounts_expression(table, metric).execute(), options, True)
        tests = interference(found)
        found, tests, _ = widen(Contrasts(cells, cells[:0], metric, options), table, 0, found, tests, None)
        verdicts.append(verdict(metric, found, tests, design))
    connection.disconnect()
    return verdicts


def power_of_pair(kind: str, seen: int, days: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Experiments that show the effect of which `design` says, from the days before them, that four of five show it."""
    every = MONDAY + np.arange(seen + days)
    after = (np.arange(seen + days) >= seen).astype(float)
    values = noise(kind, random, count, seen + days)
    promised = [detectable(every[:seen], each[:seen], every, after).typical for each in values]
    return excluding_zero(every, after, values + np.outer(promised, after))


def power_of_switchback(kind: str, random: np.random.Generator, count: int) -> np.ndarray:
    """The same of a switchback of 28 days in pairs, planned from 28 days before."""
    seen = days = 28
    values = noise(kind, random, count, seen + days)
    block = block_days(seen)
    begins = random.integers(seen, size=(count, 200, -(-days // block)))
    drawn = ((begins[..., None] + np.arange(block)) % seen).reshape(count, 200, -1)[..., :days]
    signs = 1 - 2 * random.integers(2, size=(count, 200, days // 2))
    taken = np.take_along_axis(values[:, None, :seen], drawn, axis=2)
    pairs = taken[..., 0::2] - taken[..., 1::2]
    se = (signs * pairs).mean(axis=2).std(axis=1, ddof=1) * np.sqrt(seen / (seen - 1))
    promised = multiple(days // 2 - 1, known_freedom(seen)) * se
    found = []
    for later, effect in zip(values[:, seen:], promised, strict=True):
        arms = np.ravel([(f, 1 - f) for f in random.integers(2, size=days // 2)])
        window = np.arange(days)
        interval = by_randomisation(later + effect * arms, arms, np.zeros(days, int), window, window // 2)
        found.append(interval.low > 0)
    return np.array(found)


Run = Callable[[np.random.Generator, int], np.ndarray | list[bool]]
MANY = 1_000_000


def _fast(name: str, run: Callable, *arguments: object) -> tuple[str, Run, int, int]:
    return name, partial(run, *arguments), MANY, 600


def _slow(name: str, run: Callable, *arguments: object, most: int = 400, quick: int = 0, **more) -> tuple:
    return name, partial(run, *arguments, **more), most, quick


#: Groups with what the share is to be between, and their worlds: a name, what runs it, and how often at most, and in quick runs,
#: which leave out those of 0: fewer replications than decide a target are no test of it.
WORLDS = (
    (
        "paired links and a baseline, no effect: false verdicts",
        0.0,
        0.05,
        (
            _fast("independent days, 7+5", paired, "independent", 7, 5),
            _fast("AR(1) 0.5, 7+5", paired, "AR 0.5", 7, 5),
            _fast("AR(1) 0.8, 7+14", paired, "AR 0.8", 7, 14),
            _fast("random walk, 7+5", paired, "random walk", 7, 5),
            _fast("random walk, 7+14", paired, "random walk", 7, 14),
            _fast("random walk, 14+14", paired, "random walk", 14, 14),
            _fast("weekends differ, 7+5", paired, "weekends differ", 7, 5),
            _fast("every weekday differs, 7+5", paired, "every weekday differs", 7, 5),
            _fast("AR(1) 0.9, 14+14", paired, "AR 0.9", 14, 14),
            _fast("moving average, 14+14", paired, "moving average", 14, 14),
            _fast("the difference grows by 0.1 a day, 14+14", paired, "trend 0.1", 14, 14),
            _fast("the difference grows by 0.1 a day, 28+28", paired, "trend 0.1", 28, 28),
            _fast("the difference grows by 0.5 a day, 7+14", paired, "trend 0.5", 7, 14),
            _fast("days vary three times as much later, 7+5", paired, "noisier later", 7, 5),
            _fast(
                "a link shifts within the experiment, 14+14", paired, "shift within the experiment", 14, 14
            ),
            _fast("heavy tails, 7+5", paired, "heavy tails", 7, 5),
            _fast("a single day is off by 10, 7+14", paired, "a day off", 7, 14),
            _fast("weekends differ, AR(1) 0.8, 7+5", paired, "weekends differ, AR 0.8", 7, 5),
            _slow("in words: independent days, 7+5", in_words, "independent", 7, 5),
            _slow("in words: AR(1) 0.8, 7+14", in_words, "AR 0.8", 7, 14),
            _slow("in words: random walk, 7+5", in_words, "random walk", 7, 5),
            _slow("in words: AR(1) 0.8 from noon on, 14+14", in_words, "AR 0.8", 14, 14, starts=12),
            _slow("in words: random walk from 6:00 on, 7+7", in_words, "random walk", 7, 7, starts=6),
        ),
    ),
    (
        # The largest of eleven steps is that of the first day in 9%, and nothing in the days tells it from an effect.
        "a walk of heavy-tailed steps, no effect: false verdicts",
        0.0,
        0.09,
        (
            _fast("7+5", paired, "heavy-tailed walk", 7, 5),
            _fast("14+14", paired, "heavy-tailed walk", 14, 14),
        ),
    ),
    (
        "a link shifts for good, no effect: verdicts that do not name that day, 14+14",
        0.0,
        0.05,
        tuple(
            _fast(f"by {size:g} days' deviations, {at:+} days", shifted, size, at)
            for size in (2.5, 5.0)
            for at in (-3, -2, -1, 0, 1, 2, 3)
        ),
    ),
    (
        "an effect in standard deviations of a day, paired links: verdicts without an if",
        0.7,
        1.0,
        (
            _fast("7, 7+5 independent days", shown, 7, 7, 5),
            _fast("2.5, 14+14 independent days", shown, 2.5, 14, 14),
            _fast("2, 28+28 independent days", shown, 2, 28, 28),
            _slow("in words: 2.5, 14+14 independent days", in_words, "", 14, 14, effect=2.5),
        ),
    ),
    (
        "an effect of 2.5 standard deviations of a day, switchback of 14 days: verdicts",
        0.67,
        1.0,
        (_slow("independent days", switchback_shown, 2.5, most=2000, quick=400),),
    ),
    (
        "A/B tests of 14 days with 5% treated, lognormal values, no effect: false changes",
        0.0,
        0.05,
        tuple(
            _slow(f"sigma {sigma:g}, {a_day} treated a day", ab_skewed, sigma, a_day, most=2000, quick=400)
            for sigma, a_day in (
                (0.5, 4),
                (0.5, 40),
                (1.0, 4),
                (1.0, 40),
                (1.5, 4),
                (1.5, 40),
                (2.0, 4),
                (2.0, 40),
            )
        ),
    ),
    (
        "a switchback of 14 days on few accounts that come back: verdicts that arms interfere",
        0.0,
        0.05,
        tuple(
            _slow(f"{accounts:,} accounts", few_accounts, accounts, most=200)
            for accounts in (60, 400, 1000, 2000)
        ),
    ),
    (
        "paired links of 7 days without a baseline, whose levels differ: verdicts that arms interfere",
        0.0,
        0.05,
        tuple(
            _slow(
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
    (
        "arms drawn as planned, 5% and 95% treated, 28 windows each: false alarms of the sample",
        0.0,
        0.01,
        tuple(
            _slow(f"{accounts} accounts a window", sample_ratio, accounts, most=2000, quick=400)
            for accounts in (5, 20, 100, 1000)
        ),
    ),
    (
        "event study of 7+7 days, no effect: false changes",
        0.0,
        0.05,
        (
            _fast("independent days", event, "independent"),
            _fast("AR(1) 0.5", event, "AR 0.5"),
            _fast("AR(1) 0.9", event, "AR 0.9"),
        ),
    ),
    (
        "TTE from links with 5% and 95%, all spills over: intervals that hold the truth",
        0.93,
        0.97,
        (
            *(_fast(f"{days} days", extrapolated, days) for days in (5, 7, 14, 21, 28)),
            ("5%, 50% and 95%, 14 days", lambda r, n: extrapolated(14, r, n, (0.05, 0.5, 0.95)), MANY, 2000),
        ),
    ),
    (
        "changes in % of a level that varies: intervals that hold the truth",
        0.93,
        0.97,
        tuple(_fast(f"{effect:+.0%}", relative, effect) for effect in (-0.5, -0.2, 0.2, 1.0, 2.0)),
    ),
    (
        "days, sessions and accounts: intervals that hold the truth",
        0.93,
        1.0,
        (
            _fast("A/B test, heavy tails, 7 days", over_days_of, "heavy tails", 7),
            _fast("A/B test, AR(1) 0.2, 28 days", over_days_of, "AR 0.2", 28),
            _slow("quantile of 90%, 10 days", quantile, most=2000, quick=200),
            _slow("switchback, 2 hours carried over, 2 of wash-out", switchback, 2, 2, most=1000, quick=200),
        ),
    ),
    (
        "switchbacks and accounts, no effect: false changes",
        0.0,
        0.05,
        (
            _slow("switchback on clusters of 1, 10 and 100", unequal, most=2000, quick=200),
            _slow("accounts that come back on six days", returning, most=200),
        ),
    ),
    (
        "effects of which `design` says that 80% of experiments show them: experiments that do",
        0.78,
        0.9,
        (
            _slow(
                "paired links, independent days, 14+14",
                power_of_pair,
                "independent",
                14,
                14,
                most=2000,
                quick=200,
            ),
            _slow("paired links, AR(1) 0.5, 14+14", power_of_pair, "AR 0.5", 14, 14, most=2000, quick=200),
            _slow("paired links, AR(1) 0.8, 28+28", power_of_pair, "AR 0.8", 28, 28, most=2000, quick=200),
            _slow(
                "switchback of 28 days, independent days",
                power_of_switchback,
                "independent",
                most=1000,
                quick=200,
            ),
            _slow("switchback of 28 days, AR(1) 0.5", power_of_switchback, "AR 0.5", most=1000, quick=200),
        ),
    ),
)
