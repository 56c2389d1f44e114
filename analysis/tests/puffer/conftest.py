"""A day in the format of Puffer's data."""

import pytest
from puffer_day import write_day


@pytest.fixture
def day(tmp_path):
    return write_day(tmp_path / "day")
