"""Designs that occur in practice: windows of other lengths, clusters that are treated one after the other, and metrics
that never change. Effects are compared with hand arithmetic, and Appendix B's interval with statsmodels."""

import json
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from control_cells import cells as cells_at
from control_cells import read_quantiles
from edge_records import switchback as edge_switchback
from session_files import HEADER, run, sessions, write

from sammy_analysis.experiment.analyze import read_cells
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.designs.calibrate import calibrate
from sammy_analysis.experiment.designs.design import without_mixed_hours
from sammy_analysis.experiment.estimators.estimands import Options, estimates
from sammy_analysis.experiment.estimators.panel import DAY, Panel
from sammy_analysis.experiment.problem import Problem
from sammy_analysis.experiment.reading.read import read

START = datetime(2026, 3, 2, tzinfo=UTC)


def make_hour(cluster, hour, p, value, minute=0):
    """Yields four sessions in an hour, with the same value. A share p of them is treated."""
    for number in range(4):
        name = f"{cluster}-{hour}-{number}"
        at = (START + timedelta(hours=hour, minutes=minute + 15 * number)).isoformat()
        yield [name, name, cluster, "treatment" if number < 4 * p else "control", p, at, value]


def switchback(order, window_hours, minute=0):
    """Yields sessions with 110 ms in windows with three quarters treated, and with 100 ms in the others. Extrapolated,
    that is 115 ms if all were treated and 95 ms if none were treated."""
    for window, high in enumerate(order):
        for hour in range(window * window_hours, (window + 1) * window_hours):
            yield from make_hour("link", hour, 0.75 if high else 0.25, 110 if high else 100, minute)


#: By window of six hours: 1 if it is mostly treated. Each quarter of the day is mostly treated on some day and not on
#: another.
QUARTERS = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]
DAYS = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]


def test_windows_with_both_allocations_give_no_estimate(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback(QUARTERS, 6))
    printed, _ = run(tmp_path, capsys, path)
    assert "read as a switchback" in printed
    assert (
        "what a deployment does cannot be told: windows of 24 hours are not of one allocation, which changes after 6; "
        "--window HOURS says how long they are" in printed
    )
    assert "clocks" not in printed
    printed, _ = run(tmp_path, capsys, path, "--window", "6")
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


def test_windows_across_a_change_of_the_clocks_are_explained():
    """Windows begin at midnight. On the second day, clocks were put forward at 2:00."""
    hours = np.arange(96)
    treated = (hours < 24) | ((hours >= 47) & (hours < 71))
    zeros = np.zeros(96, dtype=int)
    panel = Panel(hours, hours // 24, hours % 24, treated.astype(int), zeros, zeros + 1, zeros, zeros)
    with pytest.raises(Problem, match=r"changes after 23; .*; if clocks were put forward or back in between"):
        panel.windows()


@pytest.mark.parametrize("options", [["--utc-offset", "-5"], ["--utc-offset", "3"]])
def test_windows_begin_when_the_allocation_changes_and_not_at_local_midnight(tmp_path, capsys, options):
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", switchback(DAYS, 24)), *options)
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


def test_windows_can_begin_within_an_hour(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback(QUARTERS, 6, minute=30))
    printed, _ = run(tmp_path, capsys, path, "--window", "6")
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


def test_the_hour_of_a_change_belongs_to_neither_window():
    """An hour in which the allocation changes may have sessions of only one arm. Such hours occur if a clock is half an
    hour off."""
    of_links = {"a": [0.9, 0.9, 0.1], "b": [0.1, 0.1, 0.1]}
    rows = [(h, c, p) for c, ps in of_links.items() for h, p in enumerate(ps)]
    cells = cells_at(*rows, (1, "a", 0.1))
    kept = without_mixed_hours(cells)
    assert [*zip(kept.hour, kept.cluster, strict=True)] == [(0, "a"), (2, "a"), (0, "b"), (1, "b"), (2, "b")]
    # Numbered windows do not depend on hours.
    assert len(without_mixed_hours(cells.assign(window=1))) == len(cells)


def test_windows_that_seem_longer_than_configured_are_reported(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback([1, 0, 1, 0, 0, 1], 48))
    says = "The allocation never stays for less than 48 hours, and the windows are taken for 24 hours long."
    assert says in run(tmp_path, capsys, path)[0]
    assert says not in run(tmp_path, capsys, path, "--window", "48")[0]
    assert "never stays" not in run(tmp_path, capsys, write(path, switchback(DAYS, 24)))[0]


def test_hours_that_one_arm_never_has_do_not_shorten_an_interval():
    """Treated windows have sessions only in their last twelve hours. If the other hours of untreated windows counted,
    other assignments would have less noise than the real assignment."""
    random = np.random.default_rng(1)

    def false(days=10, worlds=200):
        for _ in range(worlds):
            treated = np.repeat(random.permuted(np.arange(days) % 2), DAY)
            hour = np.arange(days * DAY)
            kept = (treated == 0) | (hour % DAY >= 12)
            z, one, zero = random.normal(size=len(hour)), np.ones(len(hour)), np.zeros(len(hour), dtype=int)
            rows = (hour, hour // DAY, hour % DAY, treated, z, one, one, zero)
            yield Panel(*(each[kept] for each in rows)).robust(True).excludes_zero()

    # Three standard errors of a share of 5%.
    assert np.mean([*false()]) <= 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5


def test_windows_that_were_not_randomized_allow_no_verdict(tmp_path, capsys):
    """Weekends are mostly treated, and have 10 ms more with or without the treatment."""
    path = write(tmp_path / "s.csv", switchback([day % 7 >= 5 for day in range(28)], 24))
    printed, _ = run(tmp_path, capsys, path)
    says = "but only if the days of the week do not differ, of which each was always mostly treated or never."
    assert says in printed
    assert "The arms interfere:" not in printed
    # Alternating weeks allow no verdict either, because a level may wander from week to week.
    path = write(tmp_path / "t.csv", switchback([day // 7 % 2 for day in range(56)], 24))
    printed, _ = run(tmp_path, capsys, path)
    assert (
        "only if windows of 24 hours were drawn by chance, although none changed within 168 hours." in printed
    )
    assert "only if" not in run(tmp_path, capsys, path, "--window", "168")[0]


def test_hours_are_weighted_by_their_sessions(tmp_path, capsys):
    """Treated sessions have 10 less in quiet hours with four sessions per link, and 20 more in the busy hour with
    forty."""

    def rows():
        for hour in range(24 * 6):
            for link, p in (("one", 0.75), ("two", 0.25)):
                for number in range(40 if hour % 24 == 20 else 4):
                    treated = number % 4 < 4 * p
                    name = f"{link}-{hour}-{number}"
                    at = (START + timedelta(hours=hour, minutes=number)).isoformat()
                    effect = (20 if hour % 24 == 20 else -10) if treated else 0
                    yield [name, name, link, "treatment" if treated else "control", p, at, 100 + effect]

    path = write(tmp_path / "s.csv", rows())
    cells = read_cells(read(path), Options(design="paired"), 0)
    found = {each.kind: each for each in estimates(cells, "min_rtt_ms", Options(design="paired"))[0]}
    # Weighted by hours, (20 - 23 x 10) / 24 = -8.75; weighted by sessions, (40 x 20 - 92 x 10) / 132 = -0.909.
    assert found["tte"].robust.estimate == pytest.approx(-8.75)
    assert found["tte"].busier == pytest.approx(8.75 - 120 / 132)


def test_values_missing_in_one_arm_allow_no_verdict(tmp_path, capsys):
    rows = [
        [*row[:6], "" if row[3] == "treatment" and number % 10 == 0 else row[6]]
        for number, row in enumerate(sessions(days=6))
    ]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    at_25 = [row for row in rows if row[4] == 0.25]
    treated = [row for row in at_25 if row[3] == "treatment"]
    lost = sum(row[6] == "" for row in treated)
    assert (
        f"min_rtt_ms is comparable only if sessions without a value are like the others: {lost} of {len(treated)} treated "
        f"sessions ({lost / len(treated):.1%}) and 0 of {len(at_25) - len(treated)} untreated sessions (0.0%) have none where "
        "25% are treated." in printed
    )
    # Values that are missing equally often in both arms do not prevent a verdict.
    rows = [[*row[:6], "" if number % 9 == 0 else row[6]] for number, row in enumerate(sessions(days=6))]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "t.csv", rows))
    assert "comparable only if" not in printed
    assert re.search(
        r"min_rtt_ms: \d+ of \d+ treated sessions \(1\d\.\d%\) and \d+ of \d+ untreated sessions", printed
    )


def test_values_missing_in_one_of_the_compared_groups_allow_no_verdict(tmp_path, capsys):
    # All are treated, or none: no allocation has both arms.
    rows = [
        [
            name,
            unit,
            link,
            "treatment" if day else "control",
            day,
            at,
            "" if day and number % 10 == 0 else value,
        ]
        for hour in range(24 * len(DAYS))
        for day in [DAYS[hour // 24]]
        for number, (name, unit, link, _, _, at, value) in enumerate(
            make_hour("link", hour, day, 110 if day else 100 + hour // 24 % 2), 3 * hour
        )
    ]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert (
        "treated sessions (10.0%) where 100% are treated, and 0 of 480 untreated sessions (0.0%) where 0% are, have none."
        in printed
    )
    assert "but only if sessions without a value are like the others" in printed

    # Both arms of the mostly treated link have values that are missing, during the experiment or always.
    for always in (False, True):
        rows = [
            [*row[:3], arm, p, row[5], "" if row[2] == "one" and missing and within % 9 == 0 else row[6]]
            for number, row in enumerate(sessions(days=16))
            for within in [number // 8 * 4 + number % 4]
            for experiment in [row[5] >= "2026-03-10"]
            for missing in [always or experiment]
            for arm, p in [(row[3], row[4]) if experiment else ("control", 0)]
        ]
        printed, _ = run(tmp_path, capsys, write(tmp_path / "t.csv", rows))
        assert ("comparable only if sessions without a value are like the others" in printed) != always


def test_too_few_windows_for_an_interval_are_reported(tmp_path, capsys):
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", switchback([1, 0, 0, 1], 24)))
    assert (
        "what a deployment does cannot be told: too little for an interval, 4 windows, 2 treated" in printed
    )
    assert "∞" not in printed.split("\n  ")[0]


def test_sessions_before_a_switchback_are_in_none_of_its_windows(tmp_path, capsys):
    rows = list(edge_switchback())
    none = {"experiment": None, "arm": "control", "allocation": 0, "window": None, "min_rtt_ms": 500}
    for hour in range(24):
        for cluster in ("one", "two"):
            name = f"before-{cluster}-{hour}"
            at = f"2026-03-01T{hour:02}:30Z"
            rows.append({**rows[0], **none, "session_id": name, "cluster": cluster, "started_at": at})
    path = tmp_path / "sessions.ndjson"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    printed, _ = run(tmp_path, capsys, str(path), "--experiment", "none,pacing")
    assert "Left out, since they are in no window of the switchback: 48 sessions." in printed
    assert "treated beside 90%       +3.5% (+1.0% to +6.0%)" in printed


def staggered(effect, lows=(0.25, 0.25), highs=(0.75, 0.75)):
    """Yields two clusters with 50 and 100 ms over twelve days. The allocation increases on the fifth day in the one and
    on the ninth day in the other."""
    for cluster, level, change, low, high in zip(("a", "b"), (50, 100), (4, 8), lows, highs, strict=True):
        for hour in range(12 * 24):
            after = hour >= change * 24
            yield from make_hour(cluster, hour, high if after else low, level + (effect if after else 0))


@pytest.mark.parametrize(
    ("effect", "says"),
    [
        (
            0,
            "no change could be shown; it lies between +0.0% and +0.0%, if nothing else changed at that time.",
        ),
        # Raising the treated share from 25% to 75% adds 5, so raising it from none to all adds 10. At 25% treated, the
        # clusters have 50 and 100, of which the treatment adds 2.5. Both have equally many sessions, so their mean
        # without treatment is 72.5. (Two thirds of the untreated sessions are of b, which was treated later. Their
        # mean, 80.8, is not that of any network.)
        (5, "+13.8% (+13.8% to +13.8%) after the change."),
    ],
)
def test_clusters_treated_one_after_the_other_are_compared_with_themselves(tmp_path, capsys, effect, says):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", staggered(effect)))
    assert "read as an event study" in printed
    assert says in printed
    if effect:
        # The interval of Appendix B is a share of the same mean.
        assert "deployed to all          +13.8% (+13.8% to +13.8%)      Appendix B: +13.8%" in printed
        # The medians change by 5, relative to 50 and 100, which are 75 on average.
        assert "<td>50%</td><td>treated beside 75%</td><td>+6.7% (+6.7% to +6.7%)</td>" in read_quantiles(
            page
        )


def test_clusters_that_never_had_both_allocations_give_no_estimate(tmp_path, capsys):
    rows = staggered(0, lows=(0.25, 0.5), highs=(0.5, 0.75))
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "read as an event study" in printed
    assert (
        "not estimated: no cluster has had both allocations: untreated beside 75%, deployed to all" in printed
    )


def make_cells(random, cluster, hours, level, treated):
    """Returns cells of one arm of a cluster, with some hours missing."""
    hours = [hour for hour in hours if random.random() > 0.1]
    count = random.integers(1, 9, size=len(hours))
    mean = level + 5 * np.sin(np.array(hours) / 24 * 2 * np.pi) + 2 * treated + random.normal(size=len(hours))
    return pd.DataFrame(
        {
            "cluster": cluster,
            "hour": hours,
            "offset": 0,
            "n_x": count,
            "sum_x": mean * count,
            "sessions": count,
        }
    )


def test_within_cluster_comparisons_equal_statsmodels():
    random = np.random.default_rng(4)
    changes = {"a": 4 * 24, "b": 8 * 24, "c": 11 * 24}
    levels = {"a": 50, "b": 100, "c": 30}
    treated = pd.concat([make_cells(random, c, range(h, 12 * 24), levels[c], 1) for c, h in changes.items()])
    control = pd.concat([make_cells(random, c, range(h), levels[c], 0) for c, h in changes.items()])
    alone = make_cells(random, "never treated", range(12 * 24), 400, 0)
    found = Panel.by_cluster(treated, pd.concat([control, alone]), "x").paper()
    rows = pd.concat([treated.assign(treated=1), control.assign(treated=0)]).sort_values(
        "hour", kind="stable"
    )
    rows = rows.assign(z=rows.sum_x / rows.n_x, stratum=rows.cluster + (rows.hour % 24).astype(str))
    fitted = smf.ols("z ~ treated + C(stratum)", rows).fit(
        cov_type="hac-groupsum",
        cov_kwds={"time": rows.hour.to_numpy(), "maxlags": 2, "use_correction": False},
    )
    assert found.estimate == pytest.approx(fitted.params["treated"], rel=1e-9)
    assert found.se == pytest.approx(fitted.bse["treated"], rel=1e-9)


def test_a_metric_that_never_changes_does_not_change_by_rounding(tmp_path, capsys):
    """The mean of three values of 0.1 differs from 0.1 in the last bit."""
    path = write(tmp_path / "s.csv", [[*row[:6], 0.1] for row in sessions(days=5)])
    printed, page = run(tmp_path, capsys, path)
    assert "no change could be shown; it lies between +0.0% and +0.0%, if the links are alike." in printed
    assert "An A/B test with 25% treated says no clear change" in printed
    assert "Do not decide" not in page


def test_rounding_causes_no_false_positive():
    hours = range(6 * 24)
    counts = {"one": 3, "two": 1}
    rows = [
        {"cluster": c, "hour": h, "n_x": n, "sum_x": sum([0.1] * n), "arm": "control", "offset": 0}
        for c, n in counts.items()
        for h in hours
    ]
    for found in calibrate(pd.DataFrame(rows).assign(allocation=0.0, sessions=1), "x", "control"):
        assert (found.paper, found.robust) == (0, 0)


def test_quantiles_omit_incomplete_days_as_other_daily_estimates_do(tmp_path, capsys):
    whole = list(sessions(days=6))
    full = [row for row in whole if row[5] < "2026-03-07"]
    scrap = [[*row[:6], 100 * row[6]] for row in whole if "2026-03-07" <= row[5] < "2026-03-07T03"]
    _, with_scrap = run(tmp_path, capsys, write(tmp_path / "s.csv", [*full, *scrap]))
    _, without = run(tmp_path, capsys, write(tmp_path / "t.csv", full))
    assert read_quantiles(with_scrap) == read_quantiles(without)


def test_many_metrics_add_a_note_on_false_positives(tmp_path, capsys):
    metrics = [f"m{number}" for number in range(5)]
    rows = [[*row[:6], *(row[6] + number for number in range(5))] for row in sessions()]
    says = "Expect 0.2 false changes among 5 metrics that nothing affects."
    for text in run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], *metrics])):
        assert says in text
    assert "false changes" not in run(tmp_path, capsys, write(tmp_path / "t.csv", sessions()))[0]


def test_numbered_windows_do_not_need_a_length(tmp_path, capsys):
    path = tmp_path / "sessions.ndjson"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in edge_switchback()))
    assert main(["analyze", str(path), "--out", str(tmp_path / "r.html"), "--utc-offset", "-5"]) == 0
    assert "never stays" not in capsys.readouterr().out


def step_at_the_majority(seed):
    """Yields 28 days in pairs, 5% or 95% treated, with 20 sessions per hour. On mostly treated days, the round-trip
    time is 0.8 times that of the others."""
    random = np.random.default_rng(seed)
    order = np.ravel([(first, 1 - first) for first in random.integers(2, size=14)])
    for day, high in enumerate(order):
        level = 100 * np.exp(0.05 * random.normal()) * (0.8 if high else 1)
        for hour in range(24):
            for number in range(20):
                name = f"{day}-{hour}-{number}"
                arm = "treatment" if (number > 0) == bool(high) else "control"
                at = (START + timedelta(days=day, hours=hour, minutes=3 * number)).isoformat()
                p = 0.95 if high else 0.05
                yield [name, name, "link", arm, p, at, level * np.exp(0.2 * random.normal())]


@pytest.mark.long
def test_a_step_between_the_allocations_is_covered_by_the_figure_that_is_not_extrapolated(tmp_path, capsys):
    held = []
    for seed in range(20):
        printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", step_at_the_majority(seed)))
        # The linear extrapolation gives −22.2%, and the true effect is −20%.
        assert "This extrapolates linearly from 5% and 95% treated to none and all" in printed
        measured = re.search(r"beside 5% by \S+ \(−([\d.]+)% to −([\d.]+)%\)", printed)
        held.append(float(measured[1]) >= 20 >= float(measured[2]))
    assert sum(held) >= 19
