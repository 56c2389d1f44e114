"""Simulates paired links with a baseline, as the arms' daily means."""

import numpy as np

from ...estimators.steps.step import excluding_zero, find_steps
from .days import MONDAY, simulate_days
from .group import Group, fast, slow
from .paired_in_words import in_words


def paired(kind: str, before: int, after: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which verdicts of paired links with a baseline are false."""
    return paired_over_gap(kind, before, 0, after, random, count)


def paired_over_gap(
    kind: str, before: int, gap: int, after: int, random: np.random.Generator, count: int
) -> np.ndarray:
    """Returns which verdicts of paired links are false, with `gap` days between the baseline and the experiment. These
    days have no sessions, or belong half to each period."""
    days = np.arange(before + gap + after)
    kept = (days < before) | (days >= before + gap)
    is_after = (days[kept] >= before).astype(float)
    values = simulate_days(kind, random, count, before, gap + after)
    return excluding_zero(MONDAY + days[kept], is_after, values[:, kept])


def shown(effect: float, before: int, after: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which verdicts report an effect of `effect` standard deviations of a day, with independent days."""
    days = MONDAY + np.arange(before + after)
    is_after = (days >= MONDAY + before).astype(float)
    return excluding_zero(days, is_after, simulate_days("", random, count, before, after) + effect * is_after)


def shifted(size: float, at: int, random: np.random.Generator, count: int) -> np.ndarray:
    """Returns which verdicts on links of 14+14 days are false. One link shifts permanently by `size` standard deviations
    of a day, `at` days after the experiment began. A verdict lists the days on which a shift would look the same; it is
    false if the real shift is on another day."""
    days = MONDAY + np.arange(28)
    is_after, shift = (days >= MONDAY + 14).astype(float), size * (days >= MONDAY + 14 + at)
    found, earliest, latest = find_steps(days, is_after, simulate_days("", random, count, 14, 14) + shift)
    return found & ~((earliest <= MONDAY + 14 + at) & (MONDAY + 14 + at <= latest))


GROUPS = (
    Group(
        "paired links and a baseline, no effect: false verdicts",
        0.0,
        0.05,
        (
            fast("independent days, 7+5", paired, "independent", 7, 5),
            fast("AR(1) 0.5, 7+5", paired, "AR 0.5", 7, 5),
            fast("AR(1) 0.8, 7+14", paired, "AR 0.8", 7, 14),
            fast("random walk, 7+5", paired, "random walk", 7, 5),
            fast("random walk, 7+14", paired, "random walk", 7, 14),
            fast("random walk, 14+14", paired, "random walk", 14, 14),
            fast("weekends differ, 7+5", paired, "weekends differ", 7, 5),
            fast("every weekday differs, 7+5", paired, "every weekday differs", 7, 5),
            fast("AR(1) 0.9, 14+14", paired, "AR 0.9", 14, 14),
            fast("moving average, 14+14", paired, "moving average", 14, 14),
            fast("the difference grows by 0.1 a day, 14+14", paired, "trend 0.1", 14, 14),
            fast("the difference grows by 0.1 a day, 28+28", paired, "trend 0.1", 28, 28),
            fast("the difference grows by 0.5 a day, 7+14", paired, "trend 0.5", 7, 14),
            fast("days vary three times as much later, 7+5", paired, "noisier later", 7, 5),
            fast("a link shifts within the experiment, 14+14", paired, "shift within the experiment", 14, 14),
            fast("heavy tails, 7+5", paired, "heavy tails", 7, 5),
            fast("a single day is off by 10, 7+14", paired, "a day off", 7, 14),
            fast("weekends differ, AR(1) 0.8, 7+5", paired, "weekends differ, AR 0.8", 7, 5),
            fast("a smooth drift, 14+14", paired, "smooth 0.8", 14, 14),
            # The experiment begins at noon, so its first day belongs half to each period.
            fast("AR(1) 0.8 from noon on, 7+7", paired_over_gap, "AR 0.8", 7, 1, 6),
            fast("AR(1) 0.8 from noon on, 14+14", paired_over_gap, "AR 0.8", 14, 1, 13, quick=2000),
            fast("random walk from noon on, 14+14", paired_over_gap, "random walk", 14, 1, 13),
            slow("in words: independent days, 7+5", in_words, "independent", 7, 5),
            slow("in words: AR(1) 0.8, 7+14", in_words, "AR 0.8", 7, 14),
            slow("in words: random walk, 7+5", in_words, "random walk", 7, 5),
            slow("in words: AR(1) 0.8 from noon on, 14+14", in_words, "AR 0.8", 14, 14, starts=12),
            slow("in words: random walk from 6:00 on, 7+7", in_words, "random walk", 7, 7, starts=6),
        ),
    ),
    Group(
        "paired links and a baseline, days between without sessions, no effect: false verdicts",
        0.0,
        0.06,
        (
            fast("independent days, 14 days, 7 without, 14", paired_over_gap, "independent", 14, 7, 14),
            fast("AR(1) 0.8, 14 days, 2 without, 14", paired_over_gap, "AR 0.8", 14, 2, 14),
            fast("random walk, 7 days, 7 without, 7", paired_over_gap, "random walk", 7, 7, 7),
            fast("random walk, 14 days, 7 without, 14", paired_over_gap, "random walk", 14, 7, 14),
            fast("a smooth drift, 14 days, 2 without, 14", paired_over_gap, "smooth 0.8", 14, 2, 14),
            fast("a smooth drift, 14 days, 7 without, 14", paired_over_gap, "smooth 0.8", 14, 7, 14),
        ),
    ),
    Group(
        # In 1 / 11 = 9% of such walks of 12 days, the largest of the eleven steps is on the first day of the experiment,
        # where it is indistinguishable from an effect.
        "a walk of heavy-tailed steps, no effect: false verdicts",
        0.0,
        0.06,
        (
            fast("7+5", paired, "heavy-tailed walk", 7, 5),
            fast("14+14", paired, "heavy-tailed walk", 14, 14),
        ),
    ),
    Group(
        "a link shifts for good, no effect: verdicts that do not name that day, 14+14",
        0.0,
        0.05,
        tuple(
            fast(f"by {size:g} days' deviations, {at:+} days", shifted, size, at)
            for size in (2.5, 5.0)
            for at in (-3, -2, -1, 0, 1, 2, 3)
        ),
    ),
    Group(
        "an effect in standard deviations of a day, paired links: verdicts without an if",
        0.7,
        1.0,
        (
            fast("7, 7+5 independent days", shown, 7, 7, 5),
            fast("2.5, 14+14 independent days", shown, 2.5, 14, 14),
            fast("2, 28+28 independent days", shown, 2, 28, 28),
            slow("in words: 2.5, 14+14 independent days", in_words, "", 14, 14, effect=2.5),
        ),
    ),
)
