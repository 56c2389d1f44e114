"""The stream rules of `streams.py` as one query, with the same results in DuckDB, Spark and ClickHouse.

A window function over a stream from its beginning is expensive in DuckDB (three of them quadruple the query's time).
Therefore each report is compared with the previous one, and the reports are read twice: first the few relevant reports
(events, gaps, and a buffer that becomes empty or fills again) to determine the end of the stream, and then the last
report before the end to determine the watch time. Simultaneous reports are ordered by their events, because their true
order is unknown.
"""

from .streams import (
    DECODER_STALL_S,
    EMPTY_S,
    LONGEST_GAP_S,
    LONGEST_STALL_S,
    PLENTY_S,
)

#: Puffer's events, in the order in which simultaneous ones are processed.
EVENTS = ("init", "rebuffer", "startup", "play", "timer")
INIT, REBUFFER, STARTUP, PLAY, TIMER = range(len(EVENTS))
NS = 1_000_000_000

#: Reasons to truncate a stream: a gap or an empty buffer, or a stall caused by a slow decoder.
LOST, DECODER = "lost", "decoder"


def event_number(column: str = "event") -> str:
    cases = " ".join(f"WHEN '{name}' THEN {number}" for number, name in enumerate(EVENTS))
    return f"CASE {column} {cases} END"


#: The input `reports` has: session_id, stream (its number in the session), time (ns), event (index in EVENTS), buffer and
#: cum_rebuf (s). The result has one row per stream: began (ns); watch_s, stall_s and startup_s, null if playback never started;
#: played_s, which is watch_s, or, if playback went on without a startup, the time since the first report; cause, the reason for
#: truncation or null. Two columns report faults in the data: fell (the stall time decreased) and twice_at (the time of a
#: duplicate report).
STREAMS = f"""
WITH steps AS (
    SELECT session_id, stream, time, event, buffer, cum_rebuf,
        lag(time, 1, time) OVER w AS time_before,
        lag(event, 1, -1) OVER w AS event_before,
        lag(buffer, 1, 1) OVER w AS buffer_before,
        lag(cum_rebuf, 1, cum_rebuf) OVER w AS rebuf_before
    FROM reports WINDOW w AS (PARTITION BY session_id, stream ORDER BY time, event)
), flagged AS (
    SELECT session_id, stream, time, time_before, event, cum_rebuf,
        time - time_before > {round(LONGEST_GAP_S * NS)} AS gap,
        buffer > {PLENTY_S} AND buffer_before > {PLENTY_S} AND cum_rebuf > rebuf_before + {DECODER_STALL_S} AS decoder,
        buffer <= {EMPTY_S} AND buffer_before > {EMPTY_S} AS dry,
        buffer > {EMPTY_S} AND buffer_before <= {EMPTY_S} AS filled,
        cum_rebuf < rebuf_before AS falls,
        time = time_before AND event = event_before AS twice
    FROM steps
), marks AS (
    SELECT * FROM flagged WHERE event <> {TIMER} OR gap OR decoder OR dry OR filled OR falls OR twice
), bounds AS (
    SELECT session_id, stream, min(time) AS began, max(time) AS ended FROM reports GROUP BY session_id, stream
), spells AS (
    SELECT session_id, stream, dry, time AS since,
        lead(time_before, 1) OVER (PARTITION BY session_id, stream ORDER BY time, event) AS until
    FROM marks WHERE dry OR filled
), cuts AS (
    SELECT session_id, stream, time, '{LOST}' AS why FROM marks WHERE gap
    UNION ALL
    SELECT session_id, stream, time, '{DECODER}' AS why FROM marks WHERE decoder
    UNION ALL
    SELECT spells.session_id, spells.stream, since + {round(LONGEST_STALL_S * NS) + 1} AS time, '{LOST}' AS why
    FROM spells JOIN bounds ON spells.session_id = bounds.session_id AND spells.stream = bounds.stream
    WHERE dry AND coalesce(until, ended) - since > {round(LONGEST_STALL_S * NS)}
), first_cuts AS (
    SELECT session_id, stream, min(time) AS cut_at, min(CASE WHEN why = '{LOST}' THEN time END) AS lost_at
    FROM cuts GROUP BY session_id, stream
), turns AS (
    SELECT marks.session_id, marks.stream, time, event, cum_rebuf,
        lag(event, 1, -1) OVER (PARTITION BY marks.session_id, marks.stream ORDER BY time, event) AS turn_before
    FROM marks
    LEFT JOIN first_cuts ON marks.session_id = first_cuts.session_id AND marks.stream = first_cuts.stream
    WHERE event IN ({REBUFFER}, {STARTUP}, {PLAY}) AND (cut_at IS NULL OR time < cut_at)
), played AS (
    SELECT session_id, stream,
        min(CASE WHEN event = {STARTUP} THEN time END) AS started,
        arg_min(cum_rebuf, CASE WHEN event = {STARTUP} THEN time END) AS startup_stalled,
        max(CASE WHEN event IN ({STARTUP}, {PLAY}) THEN time END) AS went_on,
        max(CASE WHEN event = {REBUFFER} AND turn_before <> {REBUFFER} THEN time END) AS stopped
    FROM turns GROUP BY session_id, stream
), playing AS (
    SELECT played.session_id, played.stream, started, startup_stalled,
        CASE WHEN stopped > went_on THEN stopped ELSE cut_at END AS until
    FROM played
    LEFT JOIN first_cuts ON played.session_id = first_cuts.session_id AND played.stream = first_cuts.stream
    WHERE went_on IS NOT NULL
), last_reports AS (
    SELECT reports.session_id, reports.stream, max(time) AS last_played, arg_max(cum_rebuf, time) AS last_stalled
    FROM reports JOIN playing ON reports.session_id = playing.session_id AND reports.stream = playing.stream
    WHERE event <> {INIT} AND (until IS NULL OR time < until)
    GROUP BY reports.session_id, reports.stream
), faults AS (
    SELECT session_id, stream, max(CASE WHEN falls THEN 1 ELSE 0 END) AS fell, max(CASE WHEN twice THEN time END) AS twice_at
    FROM marks GROUP BY session_id, stream
)
SELECT bounds.session_id AS session_id, bounds.stream AS stream, began,
    (last_played - started) / 1e9 AS watch_s, last_stalled - startup_stalled AS stall_s, startup_stalled AS startup_s,
    (last_played - coalesce(started, began)) / 1e9 AS played_s,
    CASE WHEN lost_at = cut_at THEN '{LOST}' WHEN cut_at IS NOT NULL THEN '{DECODER}' END AS cause, fell, twice_at
FROM bounds
LEFT JOIN playing ON bounds.session_id = playing.session_id AND bounds.stream = playing.stream
LEFT JOIN last_reports ON bounds.session_id = last_reports.session_id AND bounds.stream = last_reports.stream
LEFT JOIN first_cuts ON bounds.session_id = first_cuts.session_id AND bounds.stream = first_cuts.stream
LEFT JOIN faults ON bounds.session_id = faults.session_id AND bounds.stream = faults.stream
"""
