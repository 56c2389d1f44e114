"""What the tests of all files share."""

import pytest
from matplotlib.figure import Figure


@pytest.fixture(autouse=True)
def _undrawn(request, monkeypatch):
    """Leaves a report's pictures undrawn, since that is most of the time of an analysis; tests marked `pictures` draw them.

    They are put together all the same.
    """
    if request.node.get_closest_marker("pictures"):
        return
    draw = Figure.savefig

    def save(figure, file, **how):
        if how.get("format") == "svg":
            file.write("<svg></svg>")
        else:
            draw(figure, file, **how)

    monkeypatch.setattr(Figure, "savefig", save)
