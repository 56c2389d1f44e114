"""A/A calibration and the design calculator."""

from itertools import chain

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from test_command import write

from sammy_analysis.experiment.calculator import _carried, _over_time, _schedule, calculate
from sammy_analysis.experiment.calibrate import calibrate
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.day_robust import between_days
from sammy_analysis.experiment.problem import Problem


def untreated(days, seed, links=("one", "two"), day_sd=0.0):
    """Cells of links without treatment: hourly noise of 1 around 100, and what a day has in common."""
    random = np.random.default_rng(seed)

    def rows(link):
        z = 100 + random.normal(size=days * 24) + np.repeat(day_sd * random.normal(size=days), 24)
        cell = {"cluster": link, "allocation": 0.0, "arm": "control", "sessions": 10, "n_x": 10, "offset": 0}
        return [{**cell, "hour": hour, "sum_x": 10 * value} for hour, value in enumerate(z)]

    return pd.DataFrame(chain.from_iterable(rows(link) for link in links))


def test_calibration_goes_through_every_assignment_and_cut():
    found = {each.design: each for each in calibrate(untreated(5, 1), "x", "control")}
    # Of five days each may be treated or not, but not all and not none; and there are four places to cut.
    assert {name: each.assignments for name, each in found.items()} == {
        "switchback": 30,
        "event": 4,
        "paired": 1,
    }


def test_calibration_of_one_link():
    assert [each.design for each in calibrate(untreated(4, 1, ["one"]), "x", "control")] == [
        "switchback",
        "event",
    ]


def test_calibration_of_a_day_is_refused_by_name():
    with pytest.raises(Problem, match="at least two days, and there is 1"):
        calibrate(untreated(1, 1), "x", "control")


def test_false_positives_where_days_differ():
    # Means over worlds: within one world the assignments hang together. 5% and three binomial errors of 40 worlds.
    found = [each for seed in range(40) for each in calibrate(untreated(6, seed, day_sd=1.0), "x", "control")]
    for design in ("switchback", "event", "paired"):
        shares = pd.DataFrame(
            [(e.paper, e.robust) for e in found if e.design == design], columns=["paper", "robust"]
        )
        assert shares.robust.mean() <= 0.05 + 3 * (0.05 * 0.95 / 40) ** 0.5
        assert shares.paper.mean() > 0.2


def test_the_calculator_knows_the_noise():
    # Hours have a standard deviation of 1% of the mean, independent, so a day's difference between links has 1% sqrt(2 / 24),
    # of which 16 days are held against the 40 that were seen; and a switchback of D days has 1% sqrt(4 / 24 D).
    plans = calculate(untreated(40, 1), "x", "control", days=16, carryover_hours=0)
    paired = next(p for p in plans if p.design == "paired" and p.days == 16)
    assert paired.se == pytest.approx(0.01 * np.sqrt(2 / 24 * (1 / 16 + 1 / 40)), rel=0.4)
    day = next(p for p in plans if p.design == "switchback" and p.days == 16 and p.window_hours == 24)
    assert day.se == pytest.approx(0.01 * np.sqrt(4 / 24 / 16), rel=0.4)
    assert all(p.bias == pytest.approx(0, abs=1e-9) for p in plans)
    assert all(p.detectable > 2.8 * p.se for p in plans if p.detectable is not None)
    # Of the windows of a day there are 16, or 8 in half the time: 2^4 ways to turn their pairs, two of which are neutral.
    assert [(p.days, p.note) for p in plans if p.detectable is None] == [
        (8, "8 windows have too few assignments for an interval")
    ] * 3


def test_carry_over_biases_towards_no_effect_and_wash_out_heals_it():
    plans = calculate(untreated(10, 1, ["one"]), "x", "control", days=8, carryover_hours=1)
    bias = {
        (p.window_hours, p.washout_hours): p.bias for p in plans if p.design == "switchback" and p.days == 8
    }
    assert bias[1, 0] < bias[6, 0] < bias[24, 0] < 0
    assert bias[6, 0] < bias[6, 1] < bias[6, 2] < 0


def test_carry_over_by_hand():
    # A switch on at hour 1 with a time constant of 1 hour: at its middle 1 - exp(-0.5), an hour later 1 - exp(-1.5).
    shown, since = _carried(np.array([0.0, 1.0, 1.0]), 1.0)
    assert shown == pytest.approx([0, 1 - np.exp(-0.5), 1 - np.exp(-1.5)])
    assert since.tolist() == [np.inf, 0, 1]


def test_every_two_clusters_are_paired_and_the_best_come_first():
    """Of three links the third's days differ by 5 times an hour's noise."""
    cells = pd.concat([untreated(20, 1), untreated(20, 2, ["three"], day_sd=5.0)], ignore_index=True)
    pairs = [p for p in calculate(cells, "x", "control", days=14, carryover_hours=0) if p.design == "paired"]
    of_14 = [p for p in pairs if p.days == 14]
    assert of_14[0].clusters == ("one", "two")
    assert {p.clusters for p in of_14} == {("one", "two"), ("one", "three"), ("three", "two")}
    # A day's difference of one and two has 1% sqrt(2 / 24), with three in it 5%; 14 days are held against the 20 seen.
    means = np.sqrt(1 / 14 + 1 / 20)
    assert of_14[0].se == pytest.approx(0.01 * np.sqrt(2 / 24) * means, rel=0.4)
    assert all(p.se == pytest.approx(0.05 * means, rel=0.5) for p in of_14[1:])


def days_of_links(**links):
    """Cells of links whose days have one value each, in all hours; None for a day without sessions."""
    cell = {"allocation": 0.0, "arm": "control", "sessions": 10, "n_x": 10, "offset": 0}
    return pd.DataFrame(
        [
            {**cell, "cluster": link, "hour": 24 * day + hour, "sum_x": 10.0 * value}
            for link, values in links.items()
            for day, value in enumerate(values)
            if value is not None
            for hour in range(24)
        ]
    )


def pairs_of(cells, days):
    return [
        p
        for p in calculate(cells, "x", "control", days=days, carryover_hours=0)
        if p.design == "paired" and p.days == days
    ]


def test_a_pair_by_hand():
    # The links differ by 51, 49, 53, 47, 50 in the metric's unit: 50 on average with a standard deviation of sqrt(5), of
    # (100 + 50) / 2. Five days of an experiment less these five: SE = sqrt(5) sqrt(1/5 + 1/5) / 75, with 8 degrees of freedom,
    # for which tables have 2.3060 at 97.5% and 0.8889 at 80%. Chi-squared of 4 degrees of freedom has 0.7107 at 5%.
    (pair,) = pairs_of(days_of_links(one=[101, 99, 103, 97, 100], two=[50] * 5), days=5)
    assert pair.se == pytest.approx(np.sqrt(2) / 75, rel=1e-9)
    assert pair.detectable == pytest.approx((2.3060 + 0.8889) * np.sqrt(2) / 75, rel=1e-4)
    assert pair.at_worst == pytest.approx(pair.detectable * np.sqrt(4 / 0.7107), rel=1e-4)
    assert pair.note == "less +66.7%, what they differ by in these 5 days"


def test_a_pair_detects_what_it_says_in_four_of_five_experiments():
    # Ten days of an experiment against the five that were seen, as `analyze` compares them.
    (pair,) = pairs_of(days_of_links(one=[101, 99, 103, 97, 100], two=[50] * 5), days=10)
    effect = pair.detectable / pair.se * np.sqrt(1 / 10 + 1 / 5)
    random = np.random.default_rng(7)
    found = [
        between_days(effect + random.normal(size=10), random.normal(size=5)).excludes_zero()
        for _ in range(4000)
    ]
    # Three binomial errors, and what t(0.975) + t(0.8) leaves of the noncentral t: a percentage point.
    assert np.mean(found) == pytest.approx(0.8, abs=3 * np.sqrt(0.8 * 0.2 / 4000) + 0.01)


def test_a_pair_that_looks_calm_on_two_days_is_not_the_best():
    """Its difference had a fifth of the other pair's spread, which two days often have by chance."""
    one = 100 + np.random.default_rng(3).normal(size=30)
    cells = days_of_links(one=one, two=[100] * 30, three=[one[0], one[1] + 0.3, *[None] * 28])
    first, *others = pairs_of(cells, days=14)
    assert first.clusters == ("one", "two")
    assert all("in these 2 days, too few to see whether that lasts" in each.note for each in others)
    calm = next(each for each in others if each.clusters == ("one", "three"))
    # Two days have a degree of freedom, of which chi-squared has 0.00393 at 5%.
    assert calm.at_worst / calm.detectable == pytest.approx(np.sqrt(1 / 0.00393214), rel=1e-4)


def test_a_pair_whose_difference_grows_cannot_be_taken_off_and_comes_last():
    calm = [100.0, 101, 99, 100, 102, 98]
    cells = days_of_links(one=calm, two=[100] * 6, three=[120 + 5 * day for day in range(6)])
    *_, third, last = pairs_of(cells, days=6)
    assert {third.clusters, last.clusters} == {("one", "three"), ("three", "two")}
    assert third.at_worst is None
    assert last.note.startswith("what they differ by changes by ")


def test_few_days_are_not_taken_for_all_there_are():
    """Drawn from three days, an experiment's days vary a third less than days do: mended, the variance is right on average."""
    random = np.random.default_rng(9)
    variances = [
        _over_time("event", np.repeat(random.normal(size=(3, 1)), 24, axis=1), 8, 0, 0, 0.0).se ** 2
        for _ in range(150)
    ]
    # Four days less four days, each of variance 1. A variance of two degrees of freedom varies by itself: 3 of 1 / sqrt(150).
    assert np.mean(variances) == pytest.approx(1 / 4 + 1 / 4, rel=0.25)


def test_a_switchback_is_drawn_in_pairs_of_windows_as_at_an_edge():
    random = np.random.default_rng(1)
    arms = _schedule("switchback", 16, 24, random).reshape(8, 2, 24)
    assert (arms.sum(axis=1) == 1).all()
    assert 0 < arms[:, 0, 0].sum() < 8
    plan = _over_time("switchback", random.normal(size=(5, 24)), 16, 24, 0, 0.0)
    # Eight pairs: seven degrees of freedom.
    t = stats.t.ppf(0.975, 7) + stats.t.ppf(0.8, 7)
    assert plan.detectable == pytest.approx(t * plan.se, rel=1e-9)


def test_a_pair_without_common_days_is_named_and_others_are_planned():
    cells = untreated(10, 1, ["one", "two", "three"])
    cells = cells[(cells.cluster != "two") | (cells.hour < 30)]
    pairs = {
        p.clusters: p
        for p in calculate(cells, "x", "control", days=8, carryover_hours=0)
        if p.design == "paired" and p.days == 8
    }
    assert pairs["one", "three"].se is not None
    assert pairs["one", "two"].se is None
    assert pairs["one", "two"].note.startswith(
        "fewer than two days in which every hour of both has untreated"
    )


def test_a_first_cluster_without_whole_days_does_not_stop_the_others():
    cells = untreated(10, 1, ["a", "b", "c"])
    cells = cells[(cells.cluster != "a") | (cells.hour < 30)]
    plans = calculate(cells, "x", "control", days=8, carryover_hours=0)
    assert {p.clusters for p in plans if p.design != "paired"} == {("b",)}
    (pair,) = [p for p in plans if p.clusters == ("b", "c") and p.days == 8]
    assert pair.se is not None


def test_a_metric_that_one_link_never_has():
    cells = untreated(10, 1)
    cells.loc[cells.cluster == "two", "sum_x"] = 0.0
    (pair,) = {
        p.note for p in calculate(cells, "x", "control", days=8, carryover_hours=0) if p.design == "paired"
    }
    assert pair.startswith("fewer than two days")


def sessions_of(clusters, days=4):
    """Untreated sessions, one an hour of each cluster."""
    for cluster in clusters:
        for hour in range(24 * days):
            at = f"2026-03-{2 + hour // 24:02}T{hour % 24:02}:00:00Z"
            yield [f"{cluster}-{hour}", f"{cluster}-{hour}", cluster, "control", 0, at, 50 + (hour * 7) % 11]


def test_clusters_are_chosen_by_name(tmp_path, capsys):
    path = write(tmp_path / "s.csv", sessions_of(["a", "b", "c"]))
    assert main(["design", path, "--days", "8", "--clusters", "c,b"]) == 0
    printed = capsys.readouterr().out
    assert " b and c" in printed
    assert " a and" not in printed
    assert main(["design", path, "--days", "8"]) == 0
    printed = capsys.readouterr().out
    assert all(f" {pair}" in printed for pair in ("a and b", "a and c", "b and c"))
    assert main(["aa", path, "--clusters", "a,b"]) == 0
    assert "paired " in capsys.readouterr().out
    assert main(["aa", path, "--clusters", "a"]) == 0
    assert "paired " not in capsys.readouterr().out


@pytest.mark.parametrize(("clusters", "unknown"), [("a,d", "d"), ("a,", ""), ("A,b", "A")])
def test_a_cluster_that_is_not_there_is_refused_by_name(tmp_path, capsys, clusters, unknown):
    path = write(tmp_path / "s.csv", sessions_of(["a", "b", "c"]))
    assert main(["design", path, "--clusters", clusters]) == 1
    assert f"--clusters: there is no cluster '{unknown}'; there is a, b, c\n" in capsys.readouterr().err


def test_of_many_pairs_the_best_are_shown_and_the_others_counted(tmp_path, capsys):
    path = write(tmp_path / "s.csv", sessions_of("abcdef"))
    assert main(["design", path, "--days", "8"]) == 0
    printed = capsys.readouterr().out
    # Of six clusters there are fifteen pairs, for eight days and for four.
    assert printed.count("\n  paired ") == 20
    assert "5 more pairs of clusters detect only larger effects; --clusters A,B shows one" in printed


def test_a_metric_is_named_once_where_it_cannot_be_planned(tmp_path, capsys):
    assert main(["design", write(tmp_path / "s.csv", sessions_of("ab", days=1))]) == 1
    assert "experiment: min_rtt_ms: at least two days are needed" in capsys.readouterr().err


def test_too_few_days_are_refused_by_name():
    with pytest.raises(Problem, match="at least two days are needed"):
        calculate(untreated(1, 1), "x", "control", days=14, carryover_hours=1)
