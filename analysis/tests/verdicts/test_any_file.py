"""Any file that can be read gives a sentence for each metric or a one-line error, and a failure of one metric does not
affect the others."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from random_sessions import START, experiments, sessions

from sammy_analysis.experiment import analyze as analysis
from sammy_analysis.experiment.analyze import FAILED, analyze
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.commands.analyze import print_result
from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.day_robust import over_days
from sammy_analysis.experiment.estimators.estimands import Options
from sammy_analysis.experiment.estimators.ratio import relative_interval
from sammy_analysis.experiment.estimators.spread import ALIKE_SESSIONS
from sammy_analysis.experiment.estimators.steps.step import relative_step, step
from sammy_analysis.experiment.problem import Problem
from sammy_analysis.experiment.reading.read import read
from sammy_analysis.experiment.reports.report import report
from sammy_analysis.experiment.sentences.numbers import Amount
from sammy_analysis.experiment.sentences.overview import make_verdicts

#: The lower limit of a change in a metric that is never negative: -100%, minus rounding errors.
NONE_LEFT = -1 - 1e-9


def hold(capsys, path, table, offset, with_report=False):
    """Analyzes a table and checks what must be true of any result."""
    table.to_csv(path, index=False)
    try:
        found = read(str(path))
    except Problem as problem:
        assert str(problem).count("\n") == 0
        return
    try:
        try:
            result = analyze(found, Options(), offset)
        except Problem as problem:
            assert str(problem).count("\n") == 0
            return
        capsys.readouterr()
        print_result(result, found)
        printed = capsys.readouterr().out
        if with_report:
            printed += re.sub("<svg.*?</svg>", "", report(result, found), flags=re.DOTALL)
        assert FAILED not in printed
        assert not re.search(r"\bnan\b", printed), printed
        told = {each.metric: each for each in make_verdicts(result)}
        for metric in found.metrics:
            assert metric in told or any(each.metric == metric for each in result.refused)
            if metric in told:
                check_verdict(told[metric], table[metric], result, metric)
    finally:
        found.close()


def check_verdict(verdict, values, result, metric):
    assert verdict.sentence.endswith(".")
    interval = verdict.interval
    if interval is None:
        return
    assert interval.low <= interval.estimate <= interval.high
    if isinstance(interval, Amount):
        assert np.isfinite([interval.low, interval.high]).all()
    elif (values.dropna() >= 0).all():
        assert interval.low >= NONE_LEFT
    if verdict.outcome in ("better", "worse", "changed", "assumed") and interval.low == interval.high:
        tte = next(each for each in result.found[metric] if each.kind == "tte")
        assert min(tte.panel.n[tte.panel.treated == arm].sum() for arm in (0, 1)) >= ALIKE_SESSIONS


FILES = {"table": experiments(), "offset": st.integers(-12, 12)}
ANY = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}


@settings(max_examples=10, derandomize=True, **ANY)
@given(**FILES)
def test_any_file_gives_a_verdict_or_a_one_line_error(capsys, tmp_path, table, offset):
    hold(capsys, tmp_path / "s.csv", table, offset)


@pytest.mark.long
@pytest.mark.pictures
@settings(max_examples=1000, **ANY)
@given(**FILES, with_report=st.booleans())
def test_a_thousand_files_give_verdicts_or_one_line_errors(capsys, tmp_path, table, offset, with_report):
    hold(capsys, tmp_path / "s.csv", table, offset, with_report)


def paired(metrics, start_hours=12, **other):
    settings = {
        "design": "paired",
        "allocations": (0.95, 0.05),
        "before": 7,
        "days": 7,
        "hours": (0, 24, 6),
        "missing": 0.0,
        "a_day": 60,
        "accounts": 0,
    }
    random = np.random.default_rng(3)
    return sessions(random, start_hours=start_hours, metrics=metrics, **{**settings, **other})


def test_an_experiment_can_begin_at_noon(capsys, tmp_path):
    path, out = tmp_path / "s.csv", tmp_path / "r.html"
    paired(["better_ms"]).to_csv(path, index=False)
    assert main(["analyze", str(path), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    # The day of the change is in neither period. Before it are seven days, the first of which is a half day, and after
    # it are seven.
    assert "better ms: deployed to all, −3" in printed


def test_one_of_three_links_can_lack_values_before_noon_of_the_first_day(capsys, tmp_path):
    path, out = tmp_path / "s.csv", tmp_path / "r.html"
    table = paired(["better_ms"], allocations=(0.95, 0.5, 0.05))
    began = table.started_at[table.allocation > 0].min()
    morning = (table.started_at < began) & (table.started_at >= began // 86400 * 86400)
    assert morning.any()
    table.loc[morning & (table.cluster == table.cluster.min()), "better_ms"] = np.nan
    table.to_csv(path, index=False)
    assert main(["analyze", str(path), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert FAILED not in printed
    assert "better ms: deployed to all, −" in printed


def test_a_metric_on_which_an_estimator_fails_is_reported_and_the_others_remain(
    capsys, tmp_path, monkeypatch
):
    def fail(cells, metric, options):
        if metric == "skewed":
            raise ValueError("f(a) and f(b) must have different signs")
        return estimates(cells, metric, options)

    estimates = analysis.estimates
    monkeypatch.setattr(analysis, "estimates", fail)
    path, out = tmp_path / "s.csv", tmp_path / "r.html"
    paired(["skewed", "better_ms"]).to_csv(path, index=False)
    assert main(["analyze", str(path), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert (
        f"{FAILED} (ValueError: f(a) and f(b) must have different signs): everything, for skewed" in printed
    )
    assert "better ms: deployed to all" in printed


def test_twenty_identical_sessions_prove_nothing(capsys, tmp_path):
    # As in a short demonstration: all sessions of an arm have the same value, so days do not differ, and nothing of the
    # metric would remain if all were treated.
    random = np.random.default_rng(1)
    table = sessions(random, "paired", (0.95, 0.05), 0, 5, 18, (18, 20, 1), 0.0, 4, 0, ["only_untreated"])
    table.to_csv(tmp_path / "s.csv", index=False)
    assert main(["analyze", str(tmp_path / "s.csv"), "--out", str(tmp_path / "r.html")]) == 0
    printed = capsys.readouterr().out
    assert "sessions that are all alike do not tell how much sessions differ; it takes 60" in printed
    assert "deployed to all          - (" in printed


def test_a_single_stall_at_an_hour_of_its_own_is_no_change_of_100_percent(capsys, tmp_path):
    """Nobody else ever had a session at that hour of day. At the hours that can be compared nothing ever stalled,
    so that a percentage would be a quotient of rounding errors."""
    rows = [
        (("control", "treatment")[link], f"link {link}", (0.05, 0.95)[link], day * 24 + hour)
        for day in range(14)
        for link in [day % 2]
        for hour in ((3, 4, 17) if day == 6 else (3, 4))
    ]
    table = pd.DataFrame(rows, columns=["arm", "cluster", "allocation", "hour"])
    table["session_id"] = table["unit"] = [f"s{row}" for row in table.index]
    table["started_at"] = START + table.pop("hour") * 3600
    table["stalls"] = np.where(table.started_at == START + (6 * 24 + 17) * 3600, 39.6, 0.0)
    table.to_csv(tmp_path / "s.csv", index=False)
    assert main(["analyze", str(tmp_path / "s.csv"), "--out", str(tmp_path / "r.html")]) == 0
    printed = capsys.readouterr().out
    assert "100.0%" not in printed
    assert "14 sessions that are all alike do not tell how much sessions differ; it takes 60" in printed


def test_rounding_errors_of_days_give_no_percentage():
    days, after = np.arange(14), [0.0, 1.0] * 7
    rounding = 1e-16 * np.arange(14) * np.array(after)
    none = relative_step(days, after, 2.5 + rounding, 2.5 - rounding)
    assert (none.estimate, none.low, none.high) == (0, 0, 0)
    of_nothing = relative_step(days, after, 2.5 + np.array(after), 2.5 - rounding)
    assert (of_nothing.low, of_nothing.high) == (-np.inf, np.inf)


@pytest.mark.parametrize("sessions_an_hour", [1, 3])
def test_sessions_that_the_hours_fit_exactly_prove_nothing(capsys, tmp_path, sessions_an_hour):
    # The links have values in 3 and 4 hours, and only one hour of day has sessions of both, so that the terms for the
    # hours leave no residual, however many sessions an hour has.
    table = paired(["about_zero", "better_ms"], hours=(0, 24, 2), before=0, a_day=300)
    hour = table.started_at // 3600
    first = hour.min() // 24 * 24
    known = []
    for arm, allocation, at in (
        ("treatment", 0.95, ((1, 6), (3, 8), (5, 20))),
        ("control", 0.05, ((2, 10), (4, 14), (6, 16), (6, 20))),
    ):
        rows = table[(table.arm == arm) & (table.allocation == allocation)]
        for day, clock in at:
            known += list(rows.index[hour[rows.index] == first + 24 * day + clock][:sessions_an_hour])
    table.loc[~table.index.isin(known), "better_ms"] = np.nan
    table.to_csv(tmp_path / "s.csv", index=False)
    assert main(["analyze", str(tmp_path / "s.csv"), "--out", str(tmp_path / "r.html")]) == 0
    printed = capsys.readouterr().out
    assert "7 hours with sessions are as many as the terms that fit them exactly" in printed


finite = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


@settings(max_examples=150, derandomize=True, **ANY)
@given(st.lists(st.tuples(finite, finite), min_size=3, max_size=12))
# The lower end is positive, but closer to 0 than a millionth of the upper end.
@example([(144120.0, 0.0), (123125.0, 1.0), (245209.0, 0.0)])
def test_the_interval_of_a_share_contains_its_estimate_and_excludes_0_if_the_effect_does(pairs):
    effects, levels = np.array(pairs).T
    level = float(levels.mean())
    if abs(level) < 1e-3:
        return

    def less(share):
        return over_days(effects - share * np.sign(level) * levels)

    check_share(relative_interval(less, level), less(0.0))


@settings(max_examples=60, derandomize=True, **ANY)
@given(st.lists(st.tuples(finite, finite), min_size=8, max_size=16), st.integers(3, 5))
def test_the_interval_of_a_step_contains_its_estimate_and_excludes_0_if_the_effect_does(pairs, before):
    values, levels = np.array(pairs).T
    days, after = np.arange(len(values)), (np.arange(len(values)) >= before).astype(float)
    level = float(levels[after == 1].mean())
    if abs(level) < 1e-3:
        return
    of_level = np.sign(level) * levels * after
    check_share(relative_step(days, after, values, of_level), step(days, after, values).interval)


def check_share(share, effect):
    assert isinstance(share, Interval)
    assert share.low <= share.high
    if np.isfinite([share.low, share.high]).all():
        assert share.low <= share.estimate <= share.high
    # Whether anything changed does not depend on the unit.
    if min(abs(effect.low), abs(effect.high)) > 1e-6 * abs(effect.estimate):
        assert share.excludes_zero() == (
            effect.excludes_zero() and np.isfinite([share.low, share.high]).any()
        )
