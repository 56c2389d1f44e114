"""Fixtures of all test files."""

import pytest


@pytest.fixture(autouse=True)
def _undrawn(request, monkeypatch):
    """Leaves a report's pictures undrawn, since that is most of the time of an analysis; tests marked `pictures` draw them.

    They are put together all the same.
    """
    if not request.node.get_closest_marker("pictures"):
        monkeypatch.setattr("sammy_analysis.experiment.reports.figures.drawn", lambda _: "<svg></svg>")
