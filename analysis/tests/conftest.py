"""Fixtures for all tests."""

import pytest


@pytest.fixture(autouse=True)
def _undrawn(request, monkeypatch):
    """Skips the drawing of a report's pictures, which takes most of the time of an analysis, except in tests marked
    `pictures`.

    Everything else about a picture is still computed.
    """
    if not request.node.get_closest_marker("pictures"):
        monkeypatch.setattr("sammy_analysis.experiment.reports.figures.drawn", lambda _: "<svg></svg>")
