"""A/A calibration and the design calculator."""

import re
from itertools import chain, pairwise

import numpy as np
import pandas as pd
import pytest
from session_files import write

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.designs import calculator, size
from sammy_analysis.experiment.designs.calculator import (
    _blocks,
    _carried,
    _schedule,
    calculate,
    multiple,
    switchback_plan,
)
from sammy_analysis.experiment.designs.calibrate import calibrate
from sammy_analysis.experiment.designs.size import Curve, curves
from sammy_analysis.experiment.estimators.steps import power
from sammy_analysis.experiment.problem import Problem
from sammy_analysis.experiment.simulations.worlds.plans import power_of_pair, power_of_switchback


def untreated(days, seed, links=("one", "two"), day_sd=0.0):
    """Returns cells of untreated links, with hourly noise of 1 around 100 and a deviation that all hours of a day
    share."""
    random = np.random.default_rng(seed)

    def rows(link):
        z = 100 + random.normal(size=days * 24) + np.repeat(day_sd * random.normal(size=days), 24)
        cell = {"cluster": link, "allocation": 0.0, "arm": "control", "sessions": 10, "n_x": 10, "offset": 0}
        return [{**cell, "hour": hour, "sum_x": 10 * value} for hour, value in enumerate(z)]

    return pd.DataFrame(chain.from_iterable(rows(link) for link in links))


@pytest.fixture
def rough(monkeypatch):
    """Computes plans with fewer draws, for tests that check only their order and their text."""
    monkeypatch.setattr(power, "PLANS", 120)
    monkeypatch.setattr(calculator, "DRAWS", 60)
    power._shown_from.cache_clear()
    yield
    power._shown_from.cache_clear()


def test_calibration_enumerates_every_assignment_and_cut():
    found = {each.design: each for each in calibrate(untreated(5, 1), "x", "control")}
    # Each of five days may be treated or not, but not all or none: 2^5 - 2 = 30. There are four places for a cut.
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


def test_calibration_of_a_single_day_is_refused_by_name():
    with pytest.raises(Problem, match="at least two days, and there is 1"):
        calibrate(untreated(1, 1), "x", "control")


@pytest.mark.parametrize("worlds", [10, pytest.param(40, marks=pytest.mark.long)])
def test_false_positives_with_differing_days(worlds):
    # The means are over worlds, because the assignments of one world are correlated. The limit is 5% plus three
    # binomial standard errors.
    found = [
        each for seed in range(worlds) for each in calibrate(untreated(6, seed, day_sd=1.0), "x", "control")
    ]
    for design in ("switchback", "event", "paired"):
        shares = pd.DataFrame(
            [(e.paper, e.robust) for e in found if e.design == design], columns=["paper", "robust"]
        )
        assert shares.robust.mean() <= 0.05 + 3 * (0.05 * 0.95 / worlds) ** 0.5
        assert shares.paper.mean() > 0.2


@pytest.mark.long
def test_the_calculator_recovers_the_noise():
    # Hours are independent, with a standard deviation of 1% of the mean. A switchback of D days compares 12 D hours with
    # 12 D hours, so its standard error is 1% sqrt(2 / (12 D)) = 1% sqrt(4 / (24 D)).
    plans = calculate(untreated(40, 1), "x", "control", days=16, carryover_hours=0)
    paired = next(p for p in plans if p.design == "paired" and p.days == 16)
    # A day's difference between the links has a standard deviation of 1% sqrt(2 / 24), and 16 days are compared with
    # the 40 observed ones. If days are known to be independent, four of five experiments show 2.9 standard errors;
    # otherwise more are needed.
    assert 2.9 * 0.01 * np.sqrt(2 / 24 * (1 / 16 + 1 / 40)) < paired.detectable < paired.at_worst
    day = next(p for p in plans if p.design == "switchback" and p.days == 16 and p.window_hours == 24)
    assert day.se == pytest.approx(0.01 * np.sqrt(4 / 24 / 16), rel=0.4)
    assert all(p.bias == pytest.approx(0, abs=1e-9) for p in plans)
    assert all(p.detectable > 2.8 * p.se for p in plans if p.detectable is not None and p.se is not None)
    # With windows of a day, half of 16 days have 8 windows: 2^4 ways to swap the pairs. Two of them contradict no
    # effect, which are more than 5%.
    assert [(p.days, p.note) for p in plans if p.detectable is None] == [
        (8, "8 windows have too few assignments for an interval")
    ] * 3


def test_carry_over_biases_towards_no_effect_and_a_wash_out_removes_the_bias():
    plans = calculate(untreated(10, 1, ["one"]), "x", "control", days=8, carryover_hours=1)
    bias = {
        (p.window_hours, p.washout_hours): p.bias for p in plans if p.design == "switchback" and p.days == 8
    }
    assert bias[1, 0] < bias[6, 0] < bias[24, 0] < 0
    assert bias[6, 0] < bias[6, 1] < bias[6, 2] < 0


def test_carry_over_by_hand():
    # The treatment begins at hour 1, with a time constant of 1 hour. In the middle of that hour it has reached 1 -
    # exp(-0.5), and an hour later 1 - exp(-1.5).
    shown, since = _carried(np.array([0.0, 1.0, 1.0]), 1.0)
    assert shown == pytest.approx([0, 1 - np.exp(-0.5), 1 - np.exp(-1.5)])
    assert since.tolist() == [np.inf, 0, 1]


@pytest.mark.usefixtures("rough")
def test_all_pairs_of_clusters_are_ranked_best_first():
    """The days of the third link vary by 5 times the noise of an hour."""
    cells = pd.concat([untreated(20, 1), untreated(20, 2, ["three"], day_sd=5.0)], ignore_index=True)
    pairs = [p for p in calculate(cells, "x", "control", days=14, carryover_hours=0) if p.design == "paired"]
    of_14 = [p for p in pairs if p.days == 14]
    assert of_14[0].clusters == ("one", "two")
    assert {p.clusters for p in of_14} == {("one", "two"), ("one", "three"), ("three", "two")}
    # A day's difference varies by 1% sqrt(2 / 24) between links one and two, and by 5% between three and another link.
    assert all(p.at_worst > 8 * of_14[0].at_worst for p in of_14[1:])


def days_of_links(**links):
    """Returns cells of links whose days have one value each, the same in all hours. None stands for a day without
    sessions."""
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


def make_pairs(cells, days):
    return [
        p
        for p in calculate(cells, "x", "control", days=days, carryover_hours=0)
        if p.design == "paired" and p.days == days
    ]


@pytest.mark.usefixtures("rough")
def test_a_pair_that_varies_twice_as_much_needs_twice_the_effect():
    calm, twice = (
        make_pairs(days_of_links(one=[100 + by * x for x in (1, -1, 3, -3, 0)], two=[100 - by] * 5), days=5)[
            0
        ]
        for by in (1, 2)
    )
    means = (200 - 1) / 2, (200 - 2) / 2
    assert twice.detectable * means[1] == pytest.approx(2 * calm.detectable * means[0], rel=1e-9)
    assert calm.at_worst > calm.detectable
    assert calm.note == "less +1.0%, what they differ by in these 5 days"


@pytest.mark.parametrize("kind", ["independent", "AR 0.5"])
def test_a_plan_detects_its_effect_in_four_of_five_experiments(kind):
    random = np.random.default_rng(7)
    # The tolerances are three binomial standard errors of 78% and of 90%, in 600 experiments and then in 100.
    assert 0.78 - 0.05 <= np.mean(power_of_pair(kind, 14, 14, random, 600)) <= 0.9 + 0.04
    assert 0.78 - 0.12 <= np.mean(power_of_switchback(kind, random, 100)) <= 0.9 + 0.09


@pytest.mark.usefixtures("rough")
def test_a_pair_with_little_noise_on_two_days_is_not_ranked_first():
    """On its two days, the pair's difference varied a fifth as much as that of the other pair, which often happens by
    chance."""
    one = 100 + np.random.default_rng(3).normal(size=30)
    cells = days_of_links(one=one, two=[100] * 30, three=[one[0], one[1] + 0.3, *[None] * 28])
    first, *others = make_pairs(cells, days=14)
    assert first.clusters == ("one", "two")
    assert all("2 days are too few" in each.note and each.at_worst is None for each in others)


@pytest.mark.usefixtures("rough")
def test_a_pair_with_a_growing_difference_is_ranked_last():
    calm = [100.0, 101, 99, 100, 102, 98]
    cells = days_of_links(one=calm, two=[100] * 6, three=[120 + 5 * day for day in range(6)])
    _, third, last = make_pairs(cells, days=6)
    assert {third.clusters, last.clusters} == {("one", "three"), ("three", "two")}


def test_blocks_of_days_are_correlated_as_days_are():
    drawn = _blocks(seen=10, block=4, days=14, random=np.random.default_rng(1))
    assert len(drawn) == 14
    # Within a block, each day is followed by the next one, and the last day by the first.
    assert all((b - a) % 10 == 1 for i, (a, b) in enumerate(pairwise(drawn)) if i % 4 != 3)


def test_an_uncertain_standard_error_needs_more_days():
    # With a known standard error, the multiple is t(0.975) + t(0.8) with the experiment's own 13 degrees of freedom:
    # 2.16 + 0.87.
    assert multiple(13, 10_000) == pytest.approx(2.16 + 0.87, abs=0.05)
    assert multiple(13, 3) > 1.2 * multiple(13, 10_000)


def test_a_switchback_is_randomized_in_pairs_of_windows_as_at_an_edge():
    random = np.random.default_rng(1)
    arms = _schedule(16, 24, random).reshape(8, 2, 24)
    assert (arms.sum(axis=1) == 1).all()
    assert 0 < arms[:, 0, 0].sum() < 8
    plan = switchback_plan(random.normal(size=(5, 24)), 16, 24, 0, 0.0)
    # Eight pairs have seven degrees of freedom, and the pairs of the five observed days have one degree.
    assert plan.detectable == pytest.approx(multiple(7, 1) * plan.se, rel=1e-9)


@pytest.mark.usefixtures("rough")
def test_a_pair_without_common_days_is_reported_and_others_are_planned():
    cells = untreated(10, 1, ["one", "two", "three"])
    cells = cells[(cells.cluster != "two") | (cells.hour < 30)]
    pairs = {
        p.clusters: p
        for p in calculate(cells, "x", "control", days=8, carryover_hours=0)
        if p.design == "paired" and p.days == 8
    }
    assert pairs["one", "three"].detectable is not None
    assert pairs["one", "two"].detectable is None
    assert pairs["one", "two"].note.startswith(
        "fewer than two days in which every hour of both has untreated"
    )


@pytest.mark.usefixtures("rough")
def test_a_first_cluster_without_whole_days_does_not_stop_the_others():
    cells = untreated(10, 1, ["a", "b", "c"])
    cells = cells[(cells.cluster != "a") | (cells.hour < 30)]
    plans = calculate(cells, "x", "control", days=8, carryover_hours=0)
    assert {p.clusters for p in plans if p.design != "paired"} == {("b",)}
    (pair,) = [p for p in plans if p.clusters == ("b", "c") and p.days == 8]
    assert pair.detectable is not None


@pytest.mark.usefixtures("rough")
def test_a_metric_missing_on_one_link():
    cells = untreated(10, 1)
    cells.loc[cells.cluster == "two", "sum_x"] = 0.0
    (pair,) = {
        p.note for p in calculate(cells, "x", "control", days=8, carryover_hours=0) if p.design == "paired"
    }
    assert pair.startswith("fewer than two days")


def make_sessions(clusters, days=4):
    """Yields untreated sessions, one per hour and cluster."""
    for cluster in clusters:
        for hour in range(24 * days):
            at = f"2026-03-{2 + hour // 24:02}T{hour % 24:02}:00:00Z"
            yield [f"{cluster}-{hour}", f"{cluster}-{hour}", cluster, "control", 0, at, 50 + (hour * 7) % 11]


@pytest.mark.usefixtures("rough")
def test_clusters_are_chosen_by_name(tmp_path, capsys):
    path = write(tmp_path / "s.csv", make_sessions(["a", "b", "c"]))
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
@pytest.mark.usefixtures("rough")
def test_a_missing_cluster_is_refused_by_name(tmp_path, capsys, clusters, unknown):
    path = write(tmp_path / "s.csv", make_sessions(["a", "b", "c"]))
    assert main(["design", path, "--clusters", clusters]) == 1
    assert f"--clusters: there is no cluster '{unknown}'; there is a, b, c\n" in capsys.readouterr().err


@pytest.mark.usefixtures("rough")
def test_the_best_of_many_pairs_are_shown_and_the_others_counted(tmp_path, capsys):
    path = write(tmp_path / "s.csv", make_sessions("abcdef"))
    assert main(["design", path, "--days", "8"]) == 0
    printed = capsys.readouterr().out
    # Six clusters have 6 x 5 / 2 = 15 pairs, of which ten are shown for eight days and ten for four.
    assert printed.count("\n  paired ") == 20
    assert "5 more pairs of clusters detect only larger effects; --clusters A,B shows one" in printed


@pytest.mark.usefixtures("rough")
def test_a_metric_that_cannot_be_planned_is_named_once(tmp_path, capsys):
    assert main(["design", write(tmp_path / "s.csv", make_sessions("ab", days=1))]) == 1
    assert "experiment: min_rtt_ms: at least two days are needed" in capsys.readouterr().err


@pytest.mark.usefixtures("rough")
def test_too_few_days_are_refused_by_name():
    with pytest.raises(Problem, match="at least two days are needed"):
        calculate(untreated(1, 1), "x", "control", days=14, carryover_hours=1)


def test_days_between_two_lengths_match_hand_arithmetic():
    # From 8% at 4 days to 2% at 16 the effect falls as 1 / days: 4% takes 8 days, and 3% takes 10.67.
    curve = Curve("paired", 2, 14, 100.0, {4: 0.08, 16: 0.02})
    assert [curve.days_for(effect) for effect in (0.1, 0.08, 0.04, 0.03, 0.02, 0.01)] == [
        4,
        4,
        8,
        11,
        16,
        None,
    ]
    # If short experiments have no interval, the answer is the first length that has an interval.
    assert Curve("switchback", 1, 0, 100.0, {4: None, 16: 0.02}).days_for(0.05) == 16


@pytest.mark.usefixtures("rough")
def test_more_links_and_days_show_smaller_effects(monkeypatch):
    monkeypatch.setattr(size, "LENGTHS", (4, 14))
    found = curves(untreated(14, 2, ["a", "b", "c", "d"], day_sd=1.0), "x", "control", 0.0)
    assert [(each.design, each.links) for each in found] == [
        ("paired", 2),
        ("paired", 4),
        ("switchback", 1),
        ("event", 1),
    ]
    two, four, *_ = found
    assert all(each.shown[14] < each.shown[4] for each in (two, four))
    assert four.shown[14] < two.shown[14]
    # Each link has ten sessions per hour.
    assert (two.sessions_a_day, four.sessions_a_day) == (480, 960)


@pytest.mark.usefixtures("rough")
def test_design_answers_how_much_an_effect_needs(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(size, "LENGTHS", (4, 14))
    path = write(tmp_path / "s.csv", make_sessions(["a", "b"], days=8))
    assert main(["design", path, "--days", "8", "--effect", "50%"]) == 0
    printed = capsys.readouterr().out
    assert "To show an effect of 50% in four of five experiments:" in printed
    assert re.search(r"paired, 2 links +4 days and the 8 before, about 192 sessions", printed)
    assert main(["design", path, "--effect", "five"]) == 1
    assert "--effect: 'five' is not a share between 0 and 100%, such as 5%" in capsys.readouterr().err
