import numpy as np
import pandas as pd
import pytest

from sammy_analysis.experiment.estimators.panel import Panel
from sammy_analysis.experiment.estimators.schedule import Schedule


def _cells(n, window):
    rows = {"cluster": "north", "window": window, "hour": range(6), "offset": 0, "n_m": n, "sum_m": 3.0 * n}
    return pd.DataFrame(rows)


def test_a_schedule_needs_a_value_of_the_metric():
    assert Schedule.from_cells(_cells(2, 1), _cells(2, 0), "m") is not None
    assert Schedule.from_cells(_cells(0, 1), _cells(0, 0), "m") is None


def test_a_window_with_both_groups_has_no_schedule():
    assert Schedule.from_cells(_cells(2, 0), _cells(2, 0), "m") is None


#: Without numbers, the test is exact only for equal variances. In the worst case (all variance in one of two groups of
#: seven windows), it fails as often as Student's t with 6 instead of 12 degrees of freedom.
@pytest.mark.parametrize(("numbered", "most"), [(True, 0.05), (False, 0.072)])
def test_a_group_with_few_sessions_seems_no_more_often_changed(numbered, most):
    """The untreated beside 95% have a session in one hour of five, and those beside 5% have five in each hour."""
    false, count = 0, 200
    for number in range(count):
        random = np.random.default_rng(number)
        high = np.ravel([(f, 1 - f) for f in random.integers(2, size=7)])
        hour = np.arange(14 * 24)
        few = high[hour // 24] == 1
        kept = ~few | (random.random(len(hour)) < 0.2)
        n = np.where(few, 1, 5)
        rows = {"cluster": "link", "hour": hour, "offset": 0, "n_x": n, "sum_x": 50 * n}
        rows["sum_x"] = rows["sum_x"] + random.normal(size=len(hour)) * 20 * np.sqrt(n)
        cells = pd.DataFrame(rows | ({"window": hour // 24} if numbered else {}))
        groups = cells[kept & few], cells[kept & ~few]
        false += Panel.from_cells(*groups, "x").robust(True).p <= 0.05
    assert false <= most * count + 3 * (most * (1 - most) * count) ** 0.5
