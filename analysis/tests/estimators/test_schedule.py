import pandas as pd

from sammy_analysis.experiment.estimators.schedule import Schedule


def _cells(n, window):
    rows = {"cluster": "north", "window": window, "hour": range(6), "offset": 0, "n_m": n, "sum_m": 3.0 * n}
    return pd.DataFrame(rows)


def test_a_schedule_needs_a_value_of_the_metric():
    assert Schedule.from_cells(_cells(2, 1), _cells(2, 0), "m") is not None
    assert Schedule.from_cells(_cells(0, 1), _cells(0, 0), "m") is None


def test_a_window_with_both_groups_has_no_schedule():
    assert Schedule.from_cells(_cells(2, 0), _cells(2, 0), "m") is None
