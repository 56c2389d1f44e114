"""Two sets of counting rules: the rules of Puffer's published analysis, and the lab's. The totals of each stream are
the same under both."""

from dataclasses import dataclass

from .uncertainty import Z


@dataclass(frozen=True)
class Rules:
    name: str
    #: Average SSIM over all chunks that were sent; otherwise over those that arrived.
    all_sent: bool
    #: Draw watch times from all streams of at least `SHORTEST_WATCH_S`; otherwise from the included streams.
    all_watch_times: bool
    #: Report the mean of the simulated trials as the stall ratio; otherwise the ratio of the expected sums.
    mean_of_simulated: bool
    #: Half of the width of SSIM's interval, in standard errors.
    z: float
    #: Divide the sum of a stream's SSIM steps by one less than their number, and exclude streams with constant SSIM.
    one_step_less: bool
    #: Classify a path as slow by all chunks of the stream; otherwise by the unpaced chunks of its network, if named.
    slow_by_stream: bool
    #: Use only the longest sequence of days, up to the last day, on which all schemes of the last day ran.
    common_days: bool


#: The rules of the programs csv_to_stream_stats, stream_stats_to_metadata and stream_to_scheme_stats of
#: github.com/StanfordSNR/puffer-statistics.
PUFFER = Rules("puffer", True, True, True, 2.0, True, True, True)
LAB = Rules("lab", False, False, False, Z, False, False, False)
RULES = {each.name: each for each in (PUFFER, LAB)}

#: Descriptions of the differences between the sets of rules: for each rule, Puffer's set and the lab's.
DIFFERENCES = (
    ("SSIM over every chunk sent", "SSIM over the chunks that arrived"),
    ("watch times drawn from all streams of at least 4 s", "watch times drawn from the streams that count"),
    (
        "time stalled: the mean of the simulated trials' ratios",
        "time stalled: what the simulated streams have in expectation",
    ),
    ("SSIM within 2 standard errors", "SSIM within 1.96 standard errors"),
    (
        "SSIM variation: a stream's steps over their number less one, and none of a stream without steps",
        "SSIM variation: a stream's steps over their number",
    ),
    (
        "a path is slow by what its stream's chunks were delivered with, or if it had none",
        "a path is slow by what its network, or else its stream, delivered without a pace",
    ),
    (
        "the days up to the last on which all schemes of the last day ran (from 11:00 UTC)",
        "all days",
    ),
)
