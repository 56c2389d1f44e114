"""The query of the stream rules, compared with the rules applied report by report."""

import duckdb
import pandas as pd
import pytest
from puffer_playback import Report, playback
from random_streams import lives

from sammy_analysis.puffer.stream_query import DECODER, STREAMS, event_number
from sammy_analysis.puffer.streams import SLOW_DECODER


def test_the_query_equals_the_rules_applied_report_by_report():
    streams = [*lives(1, 1200)]
    rows = pd.DataFrame(
        [
            (f"s{number // 3}", number % 3, 10**18 + round(at * 1e9), event, buffer, stalled)
            for number, life in enumerate(streams)
            for at, event, buffer, stalled in life
        ],
        columns=["session_id", "stream", "time", "name", "buffer", "cum_rebuf"],
    ).sample(frac=1, random_state=1)
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        connection.execute(f"CREATE TABLE reports AS SELECT *, {event_number('name')} AS event FROM rows")
        rows = connection.execute(STREAMS).df().itertuples()
    found = {(one.session_id, one.stream): one for one in rows}
    reasons = set()
    for number, life in enumerate(streams):
        one = found[f"s{number // 3}", number % 3]
        # Use milliseconds here, because differences of decimal seconds as doubles are not those of whole nanoseconds.
        expected = playback(
            [Report(round(at * 1000), event, buffer, stalled) for at, event, buffer, stalled in life], 1000
        )
        assert (one.cause == DECODER) == (expected.excluded == SLOW_DECODER), life
        reasons.add(expected.excluded)
        if expected.excluded == SLOW_DECODER:
            continue
        assert isinstance(one.cause, str) == expected.truncated, life
        if expected.watch_s > 0:
            assert one.watch_s == pytest.approx(expected.watch_s, abs=1e-9), life
            assert one.stall_s == pytest.approx(expected.stall_s, abs=1e-12), life
            assert one.startup_s == expected.startup_s, life
        else:
            assert not one.watch_s > 0, life
    assert len(reasons) == 5
