"""Streams and their totals, by the rules of Puffer's published analysis (csv_to_stream_stats).

A stream's watch time is from its start to the last report that it plays. After a gap or a very long stall, the viewer counts
as lost: the stream is truncated there, and its first part counts. `stream_query.py` asks for it.
"""

#: Reports come every 250 ms; after so long without one the viewer is lost.
LONGEST_GAP_S = 8.0
#: A buffer of at most this is empty, and empty for so long means that the viewer is lost.
EMPTY_S = 0.3
LONGEST_STALL_S = 20.0
#: A stall with so much in the buffer is the decoder's, which is too slow, and not the network's.
PLENTY_S = 5.0
DECODER_STALL_S = 0.15
#: Less was watched of a stream that does not count.
SHORTEST_WATCH_S = 4.0

#: Why a stream does not count.
DID_NOT_PLAY = "did not begin playing"
SLOW_DECODER = "stalled with plenty of buffer: a slow decoder"
CONTRADICTORY = "contradictory data: time stalled decreases"
SHORT = f"watched for less than {SHORTEST_WATCH_S:g} s"
EXCLUSIONS = (DID_NOT_PLAY, SLOW_DECODER, CONTRADICTORY, SHORT)
