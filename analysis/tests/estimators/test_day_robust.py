"""Intervals over days and windows, compared with hand arithmetic and SciPy."""

from itertools import combinations, product
from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from sammy_analysis.experiment.estimators import student
from sammy_analysis.experiment.estimators.day_robust import between_days, by_randomisation, over_days
from sammy_analysis.experiment.estimators.days import by_day, usual_hours
from sammy_analysis.experiment.problem import Problem


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 200])
def test_students_distribution_equals_scipys(freedom):
    t = np.concatenate([np.linspace(-40, 40, 401), [-1e120, 1e120]])
    assert student.below(freedom, t) == pytest.approx(stats.t.cdf(t, freedom), abs=3e-15)


def test_over_days():
    # 1, 2 and 3 have mean 2 and standard deviation 1. The 97.5% quantile of Student's t with two degrees of freedom is
    # 4.3027.
    found = over_days(np.array([1.0, 2.0, 3.0]))
    assert found.estimate == 2
    assert found.high == pytest.approx(2 + 4.302653 / sqrt(3), abs=1e-6)
    assert found.low == pytest.approx(2 - 4.302653 / sqrt(3), abs=1e-6)


def test_a_single_day_is_refused_by_name():
    with pytest.raises(Problem, match="a single day"):
        over_days(np.array([1.0]))


def test_between_days_equals_welchs_test():
    treated, control = np.array([5.0, 7.0, 9.0, 6.0]), np.array([1.0, 2.0, 4.0])
    expected = stats.ttest_ind(treated, control, equal_var=False).confidence_interval(0.95)
    found = between_days(treated, control)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def windows(values, arms):
    """Returns windows of one hour each, all at the same hour of the day."""
    zero = np.zeros(len(values), dtype=int)
    return np.array(values, dtype=float), np.array(arms), zero, np.arange(len(values))


def test_few_windows_have_no_finite_interval():
    # The real assignment and its mirror image, two of six, contradict no effect, so p is at least 1/3.
    found = by_randomisation(*windows([5, 1, 6, 2], [1, 0, 1, 0]))
    assert found.estimate == 4
    assert (found.low, found.high) == (-inf, inf)


def test_the_ends_of_a_randomization_interval_have_the_right_p_value():
    random = np.random.default_rng(5)
    arms = np.array([1, 0] * 5)
    values = random.normal(size=10) + 2 * arms
    found = by_randomisation(*windows(values, arms))

    def p_value(effect):
        result = stats.permutation_test(
            (values[arms == 1] - effect, values[arms == 0]),
            lambda a, b: abs(np.mean(a) - np.mean(b)),
            alternative="greater",
            n_resamples=np.inf,
        )
        return result.pvalue

    for inside, outside in ((found.low + 1e-6, found.low - 1e-6), (found.high - 1e-6, found.high + 1e-6)):
        assert p_value(inside) > 0.05 >= p_value(outside)


def six_pairs(level):
    """Returns windows of one hour in six pairs. One window of each pair is treated; in pair i, the effect is i + 1."""
    first = [1, 0, 0, 1, 1, 0]
    arms = np.array([arm for one in first for arm in (one, 1 - one)])
    pair = np.repeat(np.arange(6), 2)
    return level[pair] + arms * (pair + 1.0), arms, pair


def share_that_holds(assignments, effect, pair=None):
    """Returns the number of assignments whose interval contains the effect, and the number of all assignments, which
    are equally likely. A window is an hour, and the noise is fixed."""
    noise = np.random.default_rng(11).normal(size=len(assignments[0])).cumsum()
    zero, window = np.zeros(len(noise), dtype=int), np.arange(len(noise))
    held = 0
    for arms in assignments:
        found = by_randomisation(noise + effect * arms, arms, zero, window, pair)
        held += found.low <= effect <= found.high
    return held, len(assignments)


def test_over_all_ways_to_draw_ten_windows_the_interval_fails_in_exactly_five_percent():
    """The interval fails in 12 of 252 assignments, the largest even number below 5% (12.6): assignments come in mirrored
    pairs, which differ equally from no effect."""
    assignments = [np.isin(np.arange(10), chosen) * 1 for chosen in combinations(range(10), 5)]
    for effect in (0.0, 3.0):
        assert share_that_holds(assignments, effect) == (240, 252)


@pytest.mark.parametrize(("pairs", "fails"), [(6, 2), (7, 6), (8, 12)])
def test_over_all_ways_to_swap_pairs_of_windows_too(pairs, fails):
    """5% of 64, 128 and 256 are 3.2, 6.4 and 12.8. As assignments come in mirrored pairs, 2, 6 and 12 of them fail,
    which are 3.1% to 4.7%."""
    pair = np.repeat(np.arange(pairs), 2)
    assignments = [np.ravel([(f, 1 - f) for f in first]) for first in product((0, 1), repeat=pairs)]
    for effect in (0.0, 3.0):
        assert share_that_holds(assignments, effect, pair) == (2**pairs - fails, 2**pairs)


def test_with_effects_of_the_hour_of_day_too():
    """With four windows per day on three days, effects of the hour of the day explain part of the difference between
    the arms. The test stays exact."""
    hour, window = np.tile(np.arange(4), 3), np.arange(12)
    pair = np.repeat(np.arange(6), 2)
    noise = np.random.default_rng(5).normal(size=12) + 5 * hour
    held = 0
    for first in product((0, 1), repeat=6):
        arms = np.ravel([(f, 1 - f) for f in first])
        try:
            found = by_randomisation(noise + 2 * arms, arms, hour, window, pair)
            held += found.low <= 2 <= found.high
        except Problem:
            # All days have the same order of arms, so the hours determine the arm.
            held += 1
    assert held >= 64 - 3


@pytest.mark.parametrize("level", [np.zeros(6), np.array([0, 1000, 7, -50, 3, 400.0])])
def test_windows_drawn_in_pairs_are_swapped_in_pairs(level):
    # The pairs' differences are 1 to 6, with mean 3.5. An assignment that swaps the pairs S contradicts an effect d
    # unless d is between the mean difference in S and that of the other pairs. At each end of the interval, 3 of 64
    # assignments may remain that do not contradict d: the real one and its mirror image, which contradict nothing, and
    # one of the two that isolate the first (or the last) pair.
    values, arms, pair = six_pairs(level)
    zero = np.zeros(12, dtype=int)
    found = by_randomisation(values, arms, zero, np.arange(12), pair)
    assert (found.estimate, found.low, found.high) == pytest.approx((3.5, 1, 6), abs=1e-9)
    assert found.basis == "12 windows, 6 treated, 64 assignments of pairs"


def test_too_many_pairs_to_enumerate_are_sampled():
    pair = np.repeat(np.arange(40), 2)
    arms = np.tile([1, 0], 40)
    values = 5.0 * arms + np.random.default_rng(3).normal(size=80) * 0.1
    found = by_randomisation(values, arms, np.zeros(80, dtype=int), np.arange(80), pair)
    assert found.low < 5 < found.high
    assert found.high - found.low < 0.2
    assert found.basis.endswith("20,000 assignments of pairs")


def test_arms_that_the_hours_of_the_day_determine_are_refused_by_name():
    hour = np.tile([0, 1], 6)
    with pytest.raises(Problem, match="each hour of the day has sessions of one arm only"):
        by_randomisation(np.arange(12.0), hour, hour, np.arange(12), np.repeat(np.arange(6), 2))


def test_p_values_of_no_effect():
    days, others = np.array([5.0, 7.0, 9.0, 6.0]), np.array([1.0, 2.0, 4.0])
    assert over_days(days).p == pytest.approx(stats.ttest_1samp(days, 0).pvalue, rel=1e-9)
    expected = stats.ttest_ind(days, others, equal_var=False).pvalue
    assert between_days(days, others).p == pytest.approx(expected, rel=1e-9)
    assert (over_days(np.zeros(3)).p, over_days(np.ones(3)).p) == (1, 0)
    # The differences of the six pairs are 1 to 6. Of 64 assignments, only the real one and its mirror image are as extreme.
    values, arms, pair = six_pairs(np.zeros(6))
    assert by_randomisation(values, arms, np.zeros(12, dtype=int), np.arange(12), pair).p == 2 / 64


def test_randomization_p_values_equal_those_of_a_permutation_test():
    arms = np.array([1, 0] * 5)
    values = np.random.default_rng(6).normal(size=10) + arms
    expected = stats.permutation_test(
        (values[arms == 1], values[arms == 0]),
        lambda a, b: abs(np.mean(a) - np.mean(b)),
        alternative="greater",
        n_resamples=np.inf,
    )
    assert by_randomisation(*windows(values, arms)).p == pytest.approx(expected.pvalue, abs=1e-12)


def test_an_hour_that_is_missing_on_some_days_keeps_its_weight():
    # Hour 1 is missing on the last day. Of the plain means, 5, 5 and 0, the mean would be 3.3.
    day, hour = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0])
    assert by_day(day, hour, np.array([0.0, 10, 0, 10, 0])).tolist() == [5, 5, 5]
    # Hour 1 deviates by 2, for 3 instead of 2 days, and is one of two hours. Bessel's factor is sqrt(2 / 1 * 2 / 3).
    own = 2 * 3 / 2 / 2 * sqrt(4 / 3)
    assert by_day(day, hour, np.array([0.0, 8, 0, 12, 0])).to_numpy() == pytest.approx([5 - own, 5 + own, 5])
    # If no hour is missing, it is the plain mean.
    assert by_day(day[:4], hour[:4], np.array([1.0, 8, 0, 12])).tolist() == [4.5, 6]


def test_usual_hours_are_in_half_as_many_days_as_the_median_hour():
    # There are eight days: hours 0 and 1 are in all, hour 2 in four, and hour 3 in three.
    day = np.array([*range(8), *range(8), *range(4), *range(3)])
    hour = np.repeat([0, 1, 2, 3], [8, 8, 4, 3])
    # The median hour is in (4 + 8) / 2 = 6 days.
    assert np.unique(hour[usual_hours(day, hour)]).tolist() == [0, 1, 2, 3]
    day, hour = np.append(day, np.arange(8)), np.append(hour, np.full(8, 4))
    assert np.unique(hour[usual_hours(day, hour)]).tolist() == [0, 1, 2, 4]
