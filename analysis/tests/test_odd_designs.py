"""Designs as people really run them: windows of other lengths, clusters that are treated one after the other, and metrics
that never change. Effects by hand, and Appendix B's interval against statsmodels."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from test_command import HEADER, run, sessions, write
from test_links import quantiles_of
from test_records import switchback as edge_switchback

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.designs.calibrate import calibrate
from sammy_analysis.experiment.estimators.panel import Panel

START = datetime(2026, 3, 2, tzinfo=UTC)


def hour_of(cluster, hour, p, value, minute=0):
    """Four sessions an hour of which a share p is treated; all have the value."""
    for number in range(4):
        name = f"{cluster}-{hour}-{number}"
        at = (START + timedelta(hours=hour, minutes=minute + 15 * number)).isoformat()
        yield [name, name, cluster, "treatment" if number < 4 * p else "control", p, at, value]


def switchback(order, window_hours, minute=0):
    """Everybody has 110 ms in windows of which three quarters are treated, and 100 in the others: 115 if all were, 95 if none."""
    for window, high in enumerate(order):
        for hour in range(window * window_hours, (window + 1) * window_hours):
            yield from hour_of("link", hour, 0.75 if high else 0.25, 110 if high else 100, minute)


#: Every quarter of a day is treated on some day, and not treated on another.
QUARTERS = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]
DAYS = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]


def test_windows_that_hold_both_allocations_give_no_estimate(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback(QUARTERS, 6))
    printed, _ = run(tmp_path, capsys, path)
    assert "read as a switchback" in printed
    assert (
        "what a deployment does cannot be told: windows of 24 hours are not of one allocation, which changes after 6; "
        "--window HOURS says how long they are" in printed
    )
    printed, _ = run(tmp_path, capsys, path, "--window", "6")
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


@pytest.mark.parametrize("options", [["--utc-offset", "-5"], ["--utc-offset", "3"]])
def test_windows_begin_where_the_allocation_changes_and_not_at_the_viewers_midnight(
    tmp_path, capsys, options
):
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", switchback(DAYS, 24)), *options)
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


def test_windows_may_begin_within_an_hour(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback(QUARTERS, 6, minute=30))
    printed, _ = run(tmp_path, capsys, path, "--window", "6")
    assert "deployed to all, +21.1% (+21.1% to +21.1%)" in printed


def test_windows_that_seem_longer_than_they_are_taken_for_are_noted(tmp_path, capsys):
    path = write(tmp_path / "s.csv", switchback([1, 0, 1, 0, 0, 1], 48))
    says = "The allocation never stays for less than 48 hours, and the windows are taken for 24 hours long."
    assert says in run(tmp_path, capsys, path)[0]
    assert says not in run(tmp_path, capsys, path, "--window", "48")[0]
    assert "never stays" not in run(tmp_path, capsys, write(path, switchback(DAYS, 24)))[0]


def test_too_few_windows_for_an_interval_are_said_to_be_that(tmp_path, capsys):
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", switchback([1, 0, 0, 1], 24)))
    assert (
        "what a deployment does cannot be told: too little for an interval, 4 windows, 2 treated" in printed
    )
    assert "∞" not in printed.split("\n  ")[0]


def test_sessions_from_before_a_switchback_are_in_none_of_its_windows(tmp_path, capsys):
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
    """Two clusters of 50 and 100 ms over twelve days; the one is treated from the fifth on and the other from the ninth."""
    for cluster, level, change, low, high in zip(("a", "b"), (50, 100), (4, 8), lows, highs, strict=True):
        for hour in range(12 * 24):
            after = hour >= change * 24
            yield from hour_of(cluster, hour, high if after else low, level + (effect if after else 0))


@pytest.mark.parametrize(
    ("effect", "says"),
    [
        (
            0,
            "no change could be shown; it lies between +0.0% and +0.0%, if nothing else changed at that time.",
        ),
        # 5 for the half of the sessions that is treated more, so 10 for all. Without the treatment the clusters, which have as
        # many sessions, have 50 and 100, of which a quarter treated add 2.5: 72.5 on average. (Of the untreated sessions b has
        # two thirds, since it was treated later; their mean, 80.8, is that of no network.)
        (5, "+13.8% (+13.8% to +13.8%) after the change."),
    ],
)
def test_clusters_that_are_treated_one_after_the_other_are_compared_each_with_itself(
    tmp_path, capsys, effect, says
):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", staggered(effect)))
    assert "read as an event study" in printed
    assert says in printed
    if effect:
        # The paper's interval is a share of the same mean.
        assert "deployed to all          +13.8% (+13.8% to +13.8%)      Appendix B: +13.8%" in printed
        # Medians: 5 of 50 and of 100, on average 75.
        assert "<td>50%</td><td>treated beside 75%</td><td>+6.7% (+6.7% to +6.7%)</td>" in quantiles_of(page)


def test_clusters_of_which_none_had_both_allocations_tell_nothing(tmp_path, capsys):
    rows = staggered(0, lows=(0.25, 0.5), highs=(0.5, 0.75))
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "read as an event study" in printed
    assert (
        "not estimated: no cluster has had both allocations: untreated beside 75%, deployed to all" in printed
    )


def cells_of(random, cluster, hours, level, treated):
    """Cells of one arm of a cluster, with some hours missing."""
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


def test_clusters_each_beside_itself_equal_statsmodels():
    random = np.random.default_rng(4)
    changes = {"a": 4 * 24, "b": 8 * 24, "c": 11 * 24}
    levels = {"a": 50, "b": 100, "c": 30}
    treated = pd.concat([cells_of(random, c, range(h, 12 * 24), levels[c], 1) for c, h in changes.items()])
    control = pd.concat([cells_of(random, c, range(h), levels[c], 0) for c, h in changes.items()])
    alone = cells_of(random, "never treated", range(12 * 24), 400, 0)
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
    """The mean of three times 0.1 is not that of one, in the last bit."""
    path = write(tmp_path / "s.csv", [[*row[:6], 0.1] for row in sessions(days=5)])
    printed, page = run(tmp_path, capsys, path)
    assert "no change could be shown; it lies between +0.0% and +0.0%, if the links are alike." in printed
    assert "An A/B test with 25% treated says no clear change" in printed
    assert "Do not decide" not in page


def test_rounding_is_no_false_positive():
    hours = range(6 * 24)
    counts = {"one": 3, "two": 1}
    rows = [
        {"cluster": c, "hour": h, "n_x": n, "sum_x": sum([0.1] * n), "arm": "control", "offset": 0}
        for c, n in counts.items()
        for h in hours
    ]
    for found in calibrate(pd.DataFrame(rows).assign(allocation=0.0, sessions=1), "x", "control"):
        assert (found.paper, found.robust) == (0, 0)


def test_quantiles_leave_out_a_scrap_of_a_day_as_everything_by_day_does(tmp_path, capsys):
    whole = list(sessions(days=6))
    full = [row for row in whole if row[5] < "2026-03-07"]
    scrap = [[*row[:6], 100 * row[6]] for row in whole if "2026-03-07" <= row[5] < "2026-03-07T03"]
    _, with_scrap = run(tmp_path, capsys, write(tmp_path / "s.csv", [*full, *scrap]))
    _, without = run(tmp_path, capsys, write(tmp_path / "t.csv", full))
    assert quantiles_of(with_scrap) == quantiles_of(without)


def test_a_measure_of_many_metrics_reminds_of_chance(tmp_path, capsys):
    metrics = [f"m{number}" for number in range(5)]
    rows = [[*row[:6], *(row[6] + number for number in range(5))] for row in sessions()]
    says = "Expect 0.2 false changes among 5 metrics that nothing affects."
    for text in run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], *metrics])):
        assert says in text
    assert "false changes" not in run(tmp_path, capsys, write(tmp_path / "t.csv", sessions()))[0]


def test_numbered_windows_need_no_length(tmp_path, capsys):
    path = tmp_path / "sessions.ndjson"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in edge_switchback()))
    assert main(["analyze", str(path), "--out", str(tmp_path / "r.html"), "--utc-offset", "-5"]) == 0
    assert "never stays" not in capsys.readouterr().out
