"""The step in a series of correlated days: processes compared with statsmodels, periods with a gap between them, and
noise that must not be reported as a change."""

import numpy as np
import pytest
from statsmodels.tsa.arima_process import ArmaProcess

from sammy_analysis.experiment.estimators.steps.processes import SMOOTH, make_processes, smooth
from sammy_analysis.experiment.estimators.steps.step import excluding_zero, step
from sammy_analysis.experiment.simulations.worlds import paired_in_words
from sammy_analysis.experiment.simulations.worlds.days import MONDAY, noise, simulate_days
from sammy_analysis.experiment.simulations.worlds.paired_links import paired_over_gap


def test_a_smooth_drift_has_the_correlations_of_an_ar2_process():
    found = smooth(np.arange(12.0), SMOOTH)
    for root, row in zip(SMOOTH, found[:, 0], strict=True):
        assert row == pytest.approx(ArmaProcess([1, -2 * root, root**2], [1]).acf(12), abs=1e-12)


def test_the_drifting_world_has_the_correlations_of_an_ar2_process():
    drawn = noise("smooth 0.8", np.random.default_rng(1), 20_000, 3)
    expected = ArmaProcess([1, -1.6, 0.64], [1]).acf(3)
    # Three standard errors of a correlation of 20,000 pairs are 0.02.
    assert np.cov(drawn.T)[0] == pytest.approx(expected, abs=0.03)


def periods(before, gap, after):
    days = [*range(MONDAY, MONDAY + before), *range(MONDAY + before + gap, MONDAY + before + gap + after)]
    return days, [0.0] * before + [1.0] * after


def test_the_days_of_a_gap_are_named_because_a_change_on_each_looks_the_same():
    days, after = periods(14, 7, 14)
    values = np.random.default_rng(2).normal(size=28) + 20 * np.array(after)
    dates = step(days, after, values).dates
    assert (dates.begin, dates.best) == (MONDAY + 21, MONDAY + 21)
    assert (dates.earliest, dates.latest) == (MONDAY + 14, MONDAY + 21)


@pytest.mark.parametrize("changes", [[], [5], [5, 20], [7]])
def test_each_process_is_a_covariance_and_the_weights_sum_to_1(changes):
    found = make_processes(np.array([0, 1, 2, 5, 6, 7, 8, 20]), np.array(changes))
    assert np.exp(found.priors).sum() == pytest.approx(1)
    assert len(found.covariances) == len(found.priors) == len(found.without_trend)
    assert (np.linalg.eigvalsh(found.covariances) > 0).all()
    # The first process has independent days.
    assert found.without_trend[0]
    assert (found.covariances[0] == np.eye(8)).all()


def test_the_noise_of_days_can_grow_or_shrink_fourfold():
    covariances = make_processes(np.arange(5), np.array([])).covariances
    of_ends = [
        (each[0, 0], each[-1, -1]) for each in covariances if not np.any(each - np.diag(np.diag(each)))
    ]
    # The first and the last day have standard deviations of 1/2 and 2, or the reverse, with 1 in the middle.
    # Independent days have a standard deviation of 1.
    assert np.array(sorted(of_ends)) == pytest.approx(np.array([(0.25, 4), (1, 1), (4, 0.25)]))


def test_weeks_begin_on_the_weekday_of_the_experiments_first_day():
    """Periods of 5 and 23 days: the first week has 5 days, and the next three have 7."""
    covariances = make_processes(np.arange(28), np.array([5])).covariances
    weeks = np.repeat(range(5), [5, 7, 7, 7, 2])
    same = np.equal.outer(weeks, weeks)
    for size in (1, 9, 100):
        assert any(np.array_equal(each, np.eye(28) + size * same) for each in covariances)


def test_weeks_that_always_alternate_are_not_a_change():
    """Every other week, a link differs by three times the noise of a day, for example by other releases, and the
    experiment begins with such a week."""
    days = MONDAY + np.arange(28)
    noise = np.random.default_rng(4).normal(size=(100, 28))
    differing = noise + 3 * (np.arange(28) // 7 % 2)
    found = excluding_zero(days, days >= MONDAY + 14, differing)
    # Without levels of weeks in the model, 74 of 100 series show a step.
    assert found.sum() <= 25


@pytest.mark.parametrize(
    ("before", "after", "may"), [(4, 14, True), (14, 4, True), (5, 14, False), (14, 5, False)]
)
def test_a_period_of_four_days_can_be_a_holiday(before, after, may):
    days, of_experiment = periods(before, 0, after)
    values = np.random.default_rng(3).normal(size=len(days))
    assert step(days, of_experiment, values).may_be_a_holiday == may


@pytest.mark.long
def test_the_sentence_reports_a_change_if_the_days_show_one(monkeypatch):
    """The verdict reports a change exactly when the test of the same series of days finds one. It is computed from
    hourly cells of an experiment that begins at noon."""
    series = simulate_days("AR 0.8", np.random.default_rng(11), 400, 14, 14)
    monkeypatch.setattr(
        "sammy_analysis.experiment.simulations.worlds.paired_links.simulate_days", lambda *_: series
    )
    by_days = paired_over_gap("AR 0.8", 14, 1, 13, None, 0)
    some = np.concatenate([np.flatnonzero(by_days)[:10], np.flatnonzero(~by_days)[:10]])
    monkeypatch.setattr(paired_in_words, "simulate_days", lambda *_: series[some])
    said = paired_in_words.in_words("AR 0.8", 14, 14, None, 0, starts=12)
    assert said == by_days[some].tolist()
