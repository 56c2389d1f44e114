"""Tests whether the assignment was fair, and whether all arms lose the same share of streams. An arm that loses its worst
streams (because viewers leave before a slow start, or a machine is busy) would seem better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..experiment.reading.sample_ratio import ALARM, LEAST_EXPECTED
from ..puffer.trial import Flow


@dataclass(frozen=True)
class Fairness:
    """The p-values of two χ² tests over all arms: whether all arms have the same number of sessions, and whether they
    have the same share of included sessions. None if too few sessions are expected."""

    assigned_p: float | None
    counted_p: float | None

    @property
    def alarms(self) -> list[str]:
        """Descriptions of the significant deviations."""
        told = (
            (self.assigned_p, "the arms did not get equal numbers of sessions"),
            (
                self.counted_p,
                "the arms lost different shares of their sessions, so they cannot be compared",
            ),
        )
        return [f"{words} (p = {p:.2g})" for p, words in told if p is not None and p < ALARM]


def fairness(flows: Sequence[Flow]) -> Fairness:
    """Tests the assignment of arms with equal probabilities. In a trial, each session has one stream."""
    assigned = np.array([each.sessions for each in flows])
    counted = np.array([each.considered for each in flows])
    if len(flows) < 2 or assigned.mean() < LEAST_EXPECTED:
        return Fairness(None, None)
    outcomes = np.array([counted, assigned - counted])
    expected = np.outer(outcomes.sum(axis=1), assigned) / assigned.sum()
    return Fairness(
        float(stats.chisquare(assigned).pvalue),
        float(stats.chi2_contingency(outcomes).pvalue) if expected.min() >= LEAST_EXPECTED else None,
    )
