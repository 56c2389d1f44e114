"""Verdicts in misleading worlds, and the coverage of intervals for known effects. `npm run experiment -- coverage` runs
all worlds with up to 2,000 replications."""

import pytest

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.commands import simulations
from sammy_analysis.experiment.simulations import coverage as worlds
from sammy_analysis.experiment.simulations.appendix_b_coverage import DESIGNS, SCENARIOS, coverage
from sammy_analysis.experiment.simulations.coverage import Line

#: The worlds that the gate runs: one for each cause of false sentences, and some whose effect must be shown.
IN_THE_GATE = (
    "random walk, 7+5",
    "AR(1) 0.9, 14+14",
    "the difference grows by 0.1 a day, 14+14",
    "by 2.5 days' deviations, +1 days",
    "2.5, 14+14 independent days",
    "sigma 1.5, 40 treated a day",
    "20 accounts a window",
    "AR(1) 0.5",
    "14 days",
    "-20%",
    "switchback on clusters of 1, 10 and 100",
)


def met(capsys):
    """Runs `coverage`, checks that it misses no target, and returns the number of targets that it meets."""
    status = main(["coverage", "--quick"])
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert printed.endswith("all targets met\n")
    return printed.count(": met\n")


def test_some_worlds_meet_their_targets(capsys, monkeypatch):
    few = [
        (*group, tuple(each for each in of_group if each[0] in IN_THE_GATE))
        for *group, of_group in worlds.WORLDS
    ]
    monkeypatch.setattr(worlds, "WORLDS", few)
    assert met(capsys) == len(IN_THE_GATE)


@pytest.mark.long
def test_no_target_is_missed(capsys):
    assert met(capsys) > 60


@pytest.mark.parametrize(
    ("share", "low", "high", "met"),
    # With 400 replications, two binomial standard errors of a share of 5% are 2.2%.
    [(0.07, 0, 0.05, True), (0.075, 0, 0.05, False), (0.9, 0.93, 0.97, False), (0.99, 0.93, 0.97, False)],
)
def test_a_target_allows_only_for_binomial_errors(share, low, high, met):
    assert Line("", "", 400, share, low, high).met == met


def test_a_missed_target_sets_the_exit_status(capsys, monkeypatch):
    monkeypatch.setattr(
        simulations, "coverage_lines", lambda *_: [Line("a group", "a world", 400, 0.3, 0, 0.05)]
    )
    assert main(["coverage"]) == 1
    assert "30.0%      2.2%  at most 5%: MISSED" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage_with_correlated_hours_and_days(design):
    hold("autocorrelation 0.6, days differ", design, 100)


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage(design, scenario):
    hold(scenario, design, 600)


def hold(scenario, design, replications):
    # Three standard errors of a share of 0.95 with this many replications.
    noise = 3 * (0.95 * 0.05 / replications) ** 0.5
    found = coverage(design, scenario, replications)
    assert found.robust >= 0.925 - noise
    # The interval of a step allows for every correlation that its few days do not contradict, so it contains the effect
    # more often.
    if design != "event":
        assert found.robust <= 0.97 + noise
    if scenario == "independent hours":
        assert 0.93 - noise <= found.paper <= 0.96 + noise
    else:
        # Appendix B's interval is too short if hours or days are correlated.
        assert found.paper < 0.88
