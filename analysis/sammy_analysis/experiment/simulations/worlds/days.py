"""Simulates series of days in which differences between links, time windows and arms vary from day to day."""

import numpy as np

#: A Monday, 2026-03-02, in days since 1970.
MONDAY = 20514
#: The difference between the paired links, in standard deviations of a day.
LINKS_DIFFER = 6.0


def noise(kind: str, random: np.random.Generator, count: int, days: int) -> np.ndarray:
    """Simulates series of days, one per row. The days, or the steps of a random walk, have variance 1, or 5 with heavy
    tails."""
    steps = random.normal(size=(count, days))
    if kind.startswith("AR"):
        rho = float(kind[3:])
        values = steps.copy()
        for day in range(1, days):
            values[:, day] = rho * values[:, day - 1] + sqrt_less(rho) * steps[:, day]
        return values
    if kind.startswith("smooth"):
        return smooth(float(kind.split()[1]), random, count, days)
    if kind == "random walk":
        return steps.cumsum(axis=1)
    if kind == "heavy-tailed walk":
        return random.standard_t(2.5, size=(count, days)).cumsum(axis=1)
    if kind == "moving average":
        more = np.concatenate([random.normal(size=(count, 2)), steps], axis=1)
        return (more[:, 2:] + more[:, 1:-1] + more[:, :-2]) / np.sqrt(3)
    if kind == "heavy tails":
        return random.standard_t(2.5, size=(count, days))
    return steps


#: Number of initial days to discard, after which a process does not depend on its initial state.
FORGOTTEN = 60


def smooth(root: float, random: np.random.Generator, count: int, days: int) -> np.ndarray:
    """Simulates an AR(2) process with a double root (two leaky sums in series), in standard deviations of a day."""
    values = random.normal(size=(count, FORGOTTEN + days))
    for _ in range(2):
        for day in range(1, values.shape[1]):
            values[:, day] += root * values[:, day - 1]
    variance = (1 + root**2) / (1 - root**2) ** 3
    return values[:, FORGOTTEN:] / np.sqrt(variance)


def sqrt_less(rho: float) -> float:
    return float(np.sqrt(1 - rho**2))


def simulate_days(kind: str, random: np.random.Generator, count: int, before: int, after: int) -> np.ndarray:
    """Simulates the daily difference between paired links: first at equal allocation, then in an experiment without an
    effect."""
    days = before + after
    weekday = np.arange(days) % 7
    values = LINKS_DIFFER + noise(
        "AR 0.8" if kind == "weekends differ, AR 0.8" else kind, random, count, days
    )
    later = np.arange(days) >= before
    if kind.startswith("weekends differ"):
        values += LINKS_DIFFER * (weekday >= 5)
    elif kind == "every weekday differs":
        values += 2 * np.sin(2 * np.pi * weekday / 7)
    elif kind == "a day off":
        values += 10 * (random.integers(days, size=(count, 1)) == np.arange(days))
    elif kind.startswith("trend"):
        values += float(kind.split()[1]) * np.arange(days)
    elif kind == "noisier later":
        values = LINKS_DIFFER + (values - LINKS_DIFFER) * np.where(later, 3, 1)
    elif kind == "shift within the experiment":
        values += 2 * (np.arange(days) >= before + after // 2)
    return values
