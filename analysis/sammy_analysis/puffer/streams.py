"""Streams and their totals, by the rules of Puffer's published analysis (csv_to_stream_stats).

The watch time is from the start of playback to the last report that shows playback. After a gap or a very long stall,
the viewer counts as lost: the stream is truncated there, and only its first part is used. `stream_query.py` implements
these rules.
"""

#: Reports come every 250 ms. After a longer gap than this, the viewer counts as lost.
LONGEST_GAP_S = 8.0
#: The buffer counts as empty at or below this level. If it stays empty for longer than `LONGEST_STALL_S`,
#: the viewer counts as lost.
EMPTY_S = 0.3
LONGEST_STALL_S = 20.0
#: A stall of more than `DECODER_STALL_S` with more than this buffer level is caused by a slow decoder, not by the
#: network.
PLENTY_S = 5.0
DECODER_STALL_S = 0.15
#: A stream with a shorter watch time is excluded.
SHORTEST_WATCH_S = 4.0

#: Reasons to exclude a stream.
DID_NOT_PLAY = "did not begin playing"
SLOW_DECODER = "stalled with plenty of buffer: a slow decoder"
CONTRADICTORY = "contradictory data: time stalled decreases"
SHORT = f"watched for less than {SHORTEST_WATCH_S:g} s"
EXCLUSIONS = (DID_NOT_PLAY, SLOW_DECODER, CONTRADICTORY, SHORT)
