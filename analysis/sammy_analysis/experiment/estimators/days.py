"""Means of days from hourly values, of which some are missing."""

import numpy as np
import pandas as pd


def usual_hours(day: np.ndarray, hour: np.ndarray) -> np.ndarray:
    """Finds the rows of complete days (see `full_days`) at usual hours of the day.

    Of these days, a usual hour is in at least half as many as the median hour, and in at least two if the median hour is in two.
    There is at most one row for an hour of a day.
    """
    found = is_usual(day)
    found[found] = is_usual(hour[found], least=2)
    return found


def is_usual(key: np.ndarray, least: float = 0) -> np.ndarray:
    """Finds the rows whose key is frequent: it has at least half as many rows as the median key, and at least `least` if the
    median key has so many."""
    _, index = np.unique(key, return_inverse=True)
    rows = np.bincount(index)
    median = np.median(rows)
    return (rows >= max(0.5 * median, min(least, median)))[index]


def by_day(day: np.ndarray, hour: np.ndarray, values: np.ndarray) -> pd.Series:
    """Returns the means of days. Every hour of the day has the same weight in the mean of all days, no matter how many days it
    is missing in. There is at most one value for an hour of a day.

    If groups are small, quiet hours are often missing. The mean of the hours that a day has would then be a mean of busy hours,
    which cannot be compared with days that have all hours. Therefore the result for a day is the mean of all hours of the day
    plus this day's deviations from it, each divided by the share of the days that have that hour. Deviations are from a mean
    that contains them, so they are increased by the factor of Bessel's correction.
    """
    names, of_day = np.unique(day, return_inverse=True)
    hours, of_hour = np.unique(hour, return_inverse=True)
    days, in_days = len(names), np.bincount(of_hour)
    if np.all(in_days == days) or np.median(in_days) < 2:
        return pd.Series(np.bincount(of_day, weights=values) / np.bincount(of_day), index=names)
    means = np.bincount(of_hour, weights=values) / in_days
    # An hour that only one day has does not deviate from itself.
    bessel = np.sqrt(in_days / np.maximum(in_days - 1, 1) * (days - 1) / days)
    deviations = (values - means[of_hour]) * (bessel * days / in_days)[of_hour] / len(hours)
    return pd.Series(means.mean() + np.bincount(of_day, weights=deviations), index=names)


def full_days(day: np.ndarray, values: np.ndarray) -> pd.Series:
    """Returns the means of complete days: those with at least half as many hours as the median day."""
    full = is_usual(day)
    names, index = np.unique(day[full], return_inverse=True)
    return pd.Series(np.bincount(index, weights=values[full]) / np.bincount(index), index=names)
