"""Builds cells of the control, and extracts parts of a report.

Tests of designs call this module, which must not run an analysis.
"""

import pandas as pd


def cells(*hours):
    """Returns cells of the control, given as (hour, cluster, allocation)."""
    return pd.DataFrame([{"hour": h, "cluster": c, "allocation": p, "arm": "control"} for h, c, p in hours])


def read_quantiles(page):
    return page[page.index("<h3>Quantiles") : page.index("</details>")]
