"""Two sets of counting rules: those of Puffer's published analysis, and the lab's. Each stream has the same totals in both."""

from dataclasses import dataclass

from .uncertainty import Z


@dataclass(frozen=True)
class Rules:
    name: str
    #: SSIM over every chunk that was sent; otherwise over those that arrived.
    all_sent: bool
    #: Watch times are drawn from all streams of `SHORTEST_WATCH_S` and more; otherwise from those that count.
    all_watch_times: bool
    #: A stall ratio is the mean of the simulated trials'; otherwise what streams drawn like them have in expectation.
    mean_of_simulated: bool
    #: Half of SSIM's interval, in standard errors.
    z: float
    #: The steps of a stream's SSIM are averaged over one less than there are; a stream whose SSIM never varies is left out.
    one_step_less: bool
    #: A path is slow by all chunks of the stream alone; otherwise by its network, where it has a name, unpaced.
    slow_by_stream: bool
    #: Only the days count, up to the last and without a gap, on which all schemes of the last day ran.
    common_days: bool


#: As csv_to_stream_stats, stream_stats_to_metadata and stream_to_scheme_stats of github.com/StanfordSNR/puffer-statistics.
PUFFER = Rules("puffer", True, True, True, 2.0, True, True, True)
LAB = Rules("lab", False, False, False, Z, False, False, False)
RULES = {each.name: each for each in (PUFFER, LAB)}

#: What the other rules would do, in words: of each, itself and the other.
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
