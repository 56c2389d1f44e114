"""Intervals against known effects. `npm run experiment -- coverage` does all with 2,000 replications."""

import pytest

from sammy_analysis.experiment.coverage import DESIGNS, SCENARIOS, coverage

REPLICATIONS = 600
#: Three standard errors of a share of 0.95 in so many replications.
NOISE = 3 * (0.95 * 0.05 / REPLICATIONS) ** 0.5


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage(design, scenario):
    found = coverage(design, scenario, REPLICATIONS)
    assert 0.925 - NOISE <= found.robust <= 0.97 + NOISE
    if scenario == "independent hours":
        assert 0.93 - NOISE <= found.paper <= 0.96 + NOISE
    else:
        # Appendix B's interval is too short where hours or days have something in common.
        assert found.paper < 0.88
