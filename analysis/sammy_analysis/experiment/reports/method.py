"""The part of the report that explains how the results were computed.

report.py calls this module, which must not depend on the results, except for the layout of rows and the time zone.
"""

import pandas as pd

from ..analyze import Analysis
from ..reading.schema import SCHEMA_VERSION


def method_section(result: Analysis) -> str:
    rows = "24 hours of the day" if result.options.rows == "hour-of-day" else "every hour of every day"
    parts = [
        "‘A/B test at p’ is treated less untreated on the same link with a share p treated (the paper’s τ). ‘Untreated beside p’ "
        "is untreated beside a share p of treated, less untreated beside almost none (its spillover, s). ‘Treated beside p’ is "
        "treated with a share p, less untreated beside almost none (ρ). ‘Deployed to all’ is all treated less none treated (the "
        "total treatment effect, TTE): the arms’ means are extrapolated linearly in the allocation from the outermost "
        "allocations on. The paper’s own estimate of that is ‘treated beside’ the highest allocation. Percentages are of the "
        "untreated network’s mean, extrapolated likewise, and its uncertainty is included (Fieller’s interval).",
        "The intervals that verdicts use take each day as one observation (arms at the same time: Student’s t, from more than a "
        "week on with the variance of the slowest waves). In a switchback each window is one, by the way it was randomized "
        "(Fisher’s test, inverted). A change from some days to others, of paired links with a baseline or in an event study, is "
        "a step in a series whose days are correlated and may have a trend: the interval averages over correlations, "
        "smooth drifts and trends, "
        "each weighted by how likely the days make it, and is calibrated so that it misses at most 5% of the time. Weekends are "
        "compared with weekends. Where accounts come back on other days, an account’s sessions are not independent, which "
        "widens the interval (errors clustered by day and by account).",
        "Paired links that differ by a level look as if something spilled over, and A/B tests on them differ where an effect "
        "is a share of the level. So the arms are said to interfere only where A/B tests differ as a share of the untreated "
        "neighbors’ mean too, or where a spillover is left less what the links differ by at the same allocation.",
        f"Appendix B's: hourly means of each arm; least squares with an effect for each hour of the day, on rows of {rows}; "
        "Newey-West standard errors with a lag of two hours, without small-sample correction, of a mean taken for "
        "exact (Spang et al., <cite>Unbiased "
        "Experiments in Congested Networks</cite>, IMC 2021). These take hours more than two apart for independent, so "
        "where days differ they are too short.",
        "In all of these an hour counts as much as another, busy or quiet; the last column of the table of effects counts "
        "every session the same, so that busy hours weigh more.",
        f"Hours are UTC{_offset(result.cells)}. Input schema {SCHEMA_VERSION}.",
    ]
    return "<h2>How it was computed</h2>" + "".join(f"<p class=note>{part}</p>" for part in parts)


def _offset(cells: pd.DataFrame) -> str:
    offset = int(cells.offset.iloc[0])
    return f"{offset:+d}" if offset else ""
