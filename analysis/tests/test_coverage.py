"""Verdicts in worlds made to mislead, and intervals against known effects. `npm run experiment -- coverage` does all with
2,000 replications."""

from time import process_time

import pytest

from sammy_analysis.experiment import command
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.simulations.appendix_b_coverage import DESIGNS, SCENARIOS, coverage
from sammy_analysis.experiment.simulations.coverage import Line

REPLICATIONS = 600
#: Three standard errors of a share of 0.95 in so many replications.
NOISE = 3 * (0.95 * 0.05 / REPLICATIONS) ** 0.5


def test_no_target_is_missed(capsys):
    began = process_time()
    status = main(["coverage", "--quick"])
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert printed.endswith("all targets met\n")
    assert process_time() - began < 60


@pytest.mark.parametrize(
    ("share", "low", "high", "met"),
    # Of 400 replications two binomial errors of 5% are 2.2%.
    [(0.07, 0, 0.05, True), (0.075, 0, 0.05, False), (0.9, 0.93, 0.97, False), (0.99, 0.93, 0.97, False)],
)
def test_a_target_allows_for_binomial_errors_and_no_more(share, low, high, met):
    assert Line("", "", 400, share, low, high).met == met


def test_a_missed_target_is_the_exit_status(capsys, monkeypatch):
    monkeypatch.setattr(command, "coverage_lines", lambda *_: [Line("a group", "a world", 400, 0.3, 0, 0.05)])
    assert main(["coverage"]) == 1
    assert "30.0%      2.2%  at most 5%: MISSED" in capsys.readouterr().out


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage(design, scenario):
    found = coverage(design, scenario, REPLICATIONS)
    assert found.robust >= 0.925 - NOISE
    # A step allows for every correlation that its few days do not contradict, and so holds more often.
    if design != "event":
        assert found.robust <= 0.97 + NOISE
    if scenario == "independent hours":
        assert 0.93 - NOISE <= found.paper <= 0.96 + NOISE
    else:
        # Appendix B's interval is too short where hours or days have something in common.
        assert found.paper < 0.88
