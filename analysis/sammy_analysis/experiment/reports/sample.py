"""The part of the report on the sample: whether the arms have the planned sizes, and which rows were left out.

report.py calls this module, which must not depend on the results of the experiment.
"""

from datetime import UTC, datetime
from html import escape

from ...page import table
from ..analyze import Analysis
from ..reading.read import Sessions
from ..reading.sample_ratio import Ratio


def sample_section(result: Analysis) -> str:
    alarms = [each for each in result.sample if each.alarm]
    windows = [each for each in result.sample if each.starts is not None]
    tested = sum(each.p is not None for each in windows)
    together = sum(each.p is not None and each.starts is None for each in result.sample)
    total = result.cells.groupby(["cluster", "allocation", "arm"], as_index=False).sessions.sum()
    rows = [
        [escape(str(row.cluster)), f"{row.allocation:.0%}", escape(str(row.arm)), f"{row.sessions:,}"]
        for row in total.itertuples()
    ]
    text = "<h2>Is the sample as planned?</h2>"
    if alarms:
        listed = "".join(
            f"<li>{escape(a.cluster)}, {_window(a)}: {a.treated:,} treated and {a.control:,} untreated "
            f"accounts, where {a.allocation:.0%} should be treated (p = {a.p:.1g})</li>"
            for a in sorted(alarms, key=lambda each: each.starts is not None)[:20]
        )
        more = f"<li>and {len(alarms) - 20} more</li>" if len(alarms) > 20 else ""
        text += (
            f'<div class="alarm"><strong>No: the arms do not have the sizes that they were given.</strong> Something '
            f"assigns, loses or counts sessions of one arm differently, and nothing below can be trusted until it is "
            f"found.<ul>{listed}{more}</ul></div>"
        )
    elif tested or together:
        also = f", and {together} times over all windows of a cluster and an allocation" if together else ""
        text += (
            f"<p>Yes: in {tested} of {len(windows)} windows of a cluster{also} the number of accounts in each arm was tested "
            f"against the allocation (alarm at p &lt; {min(each.threshold for each in windows):.1g}), and none differs by "
            "more than chance would have it.</p>"
        )
    else:
        text += "<p>This cannot be told: no window has enough accounts in both arms for a test.</p>"
    return text + table(["Cluster", "Treated share", "Arm", "Sessions"], rows, {1, 3})


def _window(ratio: Ratio) -> str:
    if ratio.starts is None:
        return f"all {ratio.windows} windows together"
    return f"window from {_when(ratio.starts)}"


def _when(hour: int) -> str:
    return f"{datetime.fromtimestamp(hour * 3600, UTC):%d %B %H:%M}"


def left_out_section(sessions: Sessions, result: Analysis) -> str:
    text = "<h2>What was left out</h2>"
    rows = [
        [escape(row.file), escape(row.field), escape(row.reason), f"{row.count:,}", f"{row.first_row:,}"]
        for row in sessions.left_out.itertuples()
    ]
    if rows:
        text += table(["File", "Field", "Why", "Rows", "First row"], rows, {3, 4})
    else:
        text += f"<p>None of {sessions.rows:,} rows.</p>"
    for reason, count in sessions.set_aside.items():
        text += f"<p>{count:,} rows were set aside, as they are meant to be: {escape(reason)}.</p>"
    notes = [*sessions.notes, *result.notes]
    return text + "".join(f"<p class=note>{escape(line)}</p>" for line in notes)
