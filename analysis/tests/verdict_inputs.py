"""Builds the estimates and link checks from which verdicts are made.

Tests of verdicts call this module, which must not depend on any sentence.
"""

from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.estimands import Estimate
from sammy_analysis.experiment.estimators.links import Corrected, Growth, LinkCheck
from sammy_analysis.experiment.estimators.steps.dates import Dates
from sammy_analysis.experiment.estimators.steps.step import Step
from sammy_analysis.experiment.estimators.steps.step_design import Noise

FEWER = Interval(-0.2, -0.25, -0.15, 0.02, "5 days", 0.001)
OPEN = Interval(-0.2, -0.5, 0.1, 0.15, "5 days", 0.2)


def estimate(kind, share, between=(0.0, 1.0)):
    """Returns an estimate for a metric whose mean is 100 without the treatment."""
    return Estimate(kind, kind, 0.95, "min_rtt_ms", FEWER, share.times(100), "", 100.0, None, share, between)


#: The experiment began on 3 March 2026. In `LATER`, the data date the change to 5 March.
BEGAN = Dates(20515, 20515, 20515, 20515, False)
LATER = Dates(20515, 20517, 20516, 20518, True)


def checked(share, dates=BEGAN, periods=(14, 14)):
    """Returns the check of links whose difference is known from days before the experiment."""
    effect = share.times(100)
    of = Corrected(Step(effect, periods, Noise(0.0, 1.0), dates), share, 100.0, Growth(100.0, 100.0), effect)
    return LinkCheck(Interval(5.0, 4.0, 6.0), of, of, 100.0)
