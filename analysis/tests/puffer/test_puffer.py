"""Puffer's rules and statistics, compared with hand arithmetic."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from played_stream import stream
from puffer_playback import Report, playback

from sammy_analysis.experiment.command import main
from sammy_analysis.puffer.read import read_streams
from sammy_analysis.puffer.streams import (
    CONTRADICTORY,
    DID_NOT_PLAY,
    SHORT,
    SLOW_DECODER,
)
from sammy_analysis.puffer.trial import flow, growth
from sammy_analysis.puffer.uncertainty import (
    Z,
    mean_difference,
    mean_ssim_db,
    ssim_difference_db,
    stall_difference,
    stall_ratio,
    unweighted_mean,
)


def test_a_stream_lasts_from_its_start_to_the_last_report_of_playback():
    found = playback(stream(20, stalls=[(5, 6), (19, 25)]))
    # It plays until the report at 18.75 s, before the stall at 19 s: 17.75 s after its start, including a stall of one
    # second.
    assert (found.watch_s, found.stall_s, found.startup_s) == (17.75, 1.0, 1.0)
    assert (found.truncated, found.excluded) == (False, "")


def test_excluded_streams():
    assert playback(stream(3, starts=9)).excluded == DID_NOT_PLAY
    assert playback(stream(1, starts=1)).excluded == DID_NOT_PLAY
    assert playback(stream(4.75)).excluded == SHORT
    assert playback(stream(5)).excluded == ""
    reports = stream(10)
    assert playback([*reports, Report(10.1, "timer", 3, 0.5)]).excluded == CONTRADICTORY
    jump = [Report(11, "timer", 6, 1), Report(11.25, "timer", 6, 1.2)]
    assert playback([*reports, *jump]).excluded == SLOW_DECODER
    small = [Report(11, "timer", 6, 1), Report(11.25, "timer", 6, 1.1)]
    assert playback([*reports, *small]).excluded == ""


def test_a_lost_viewer_ends_a_stream():
    reports = [*stream(10), *(Report(18.5 + n / 4, "timer", 3, 1) for n in range(8))]
    gap = playback(reports)
    assert (gap.watch_s, gap.truncated, gap.excluded) == (9, True, "")
    long = playback(stream(60, stalls=[(10, 31)]))
    # If a stream has nothing to play for more than 20 s, the stall itself does not count.
    assert (long.watch_s, long.stall_s, long.truncated) == (8.75, 0, True)
    shorter = playback(stream(60, stalls=[(10, 29)]))
    assert (shorter.watch_s, shorter.stall_s, shorter.truncated) == (59, 19, False)


def test_the_stall_ratio_of_ten_streams_with_one_stall():
    watch, stall = np.full(10, 10.0), np.array([1.0] + [0.0] * 9)
    found = stall_ratio(watch, stall, watch, np.random.default_rng(1))
    # Each of ten draws is 0.1 with probability 1/10. P(at most 2) = 0.930, P(at most 3) = 0.987.
    assert (found.estimate, found.low, found.high) == pytest.approx((0.01, 0, 0.03))


def test_the_nearest_streams_replace_missing_lengths_of_a_scheme():
    # The scheme has no stream of 16 to 32 s. The nearest lengths have ratios of 0.1 and 0.3, and lengths further away
    # 0.9.
    watch, stall = np.array([10.0, 40.0, 5.0]), np.array([1.0, 12.0, 4.5])
    found = stall_ratio(watch, stall, np.array([20.0]), np.random.default_rng(1))
    # Three draws among these two: all 0.1 and all 0.3 have a probability of 1/8 each, and the mean is 0.2. The ratio of
    # the scheme's own streams, 17.5 / 55, is for other watch times, and would be above the interval.
    assert (found.low, found.estimate, found.high) == pytest.approx((0.1, 0.2, 0.3))


def test_the_stall_ratio_uses_the_watch_times_of_all_schemes():
    # Short streams stall for 30% of the time, and long ones never. Half of the watched streams of all schemes are long.
    watch, stall = np.array([10.0, 10.0, 10.0, 100.0]), np.array([3.0, 3.0, 3.0, 0.0])
    found = stall_ratio(watch, stall, np.array([10.0, 100.0]), np.random.default_rng(1), 4000)
    # The expected ratio is that of 10 s at 0.3 and 100 s at 0, 3 / 110, while the scheme's own streams have 9 / 130.
    assert found.estimate == pytest.approx(3 / 110)
    assert found.low <= found.estimate <= found.high


def test_a_single_stream_has_no_interval():
    found = mean_ssim_db(np.array([60.0]), np.array([0.9]))
    assert (found.estimate, found.low, found.high) == (pytest.approx(10), -math.inf, math.inf)


def test_equal_streams_have_an_interval_of_zero_width():
    watch = np.array([4.0, 100.0, 9.0])
    found = stall_ratio(watch, watch / 10, watch, np.random.default_rng(1), 100)
    assert (found.estimate, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))


def test_ssim_is_weighted_by_watch_time_in_units_of_the_index():
    found = mean_ssim_db(np.array([10.0, 30.0]), np.array([0.9, 0.8]))
    # The mean is 0.825, the variance (0.25 x 0.075^2 + 0.75 x 0.025^2) = 0.001875, and the sum of squared shares 0.0625
    # + 0.5625 = 0.625.
    error = Z * math.sqrt(0.001875 * 0.625)
    expected = [-10 * math.log10(0.175), -10 * math.log10(0.175 + error), -10 * math.log10(0.175 - error)]
    assert [found.estimate, found.low, found.high] == pytest.approx(expected)
    assert found.estimate == pytest.approx(7.5696, abs=1e-4)
    assert found.high - found.estimate > found.estimate - found.low


def test_the_variation_is_a_plain_mean():
    found = unweighted_mean(np.array([0.2, 0.4, 0.6]))
    # The standard error is the standard deviation, 0.2, over the root of 3.
    assert (found.estimate, found.high - found.estimate) == pytest.approx((0.4, Z * 0.2 / math.sqrt(3)))


def test_differences_of_two_schemes():
    one, other = (np.full(9, 10.0), np.full(9, 1.0)), (np.full(9, 20.0), np.full(9, 6.0))
    found = stall_difference(one, other, np.array([10.0, 20.0]), 1, 100)
    # All streams of the one scheme stall for 10% of the time, and all streams of the other for 30%.
    assert (found.estimate, found.low, found.high) == pytest.approx((-0.2, -0.2, -0.2))
    found = mean_difference(np.array([0.2, 0.4, 0.6]), np.array([1.0, 2.0]))
    # The squared standard errors are 0.04 / 3 and 0.5 / 2.
    half = Z * math.sqrt(0.04 / 3 + 0.25)
    assert (found.estimate, found.low, found.high) == pytest.approx((-1.1, -1.1 - half, -1.1 + half))


def test_the_difference_of_two_mean_ssims_in_db():
    one = (np.array([10.0, 30.0]), np.array([0.9, 0.8]))
    found = ssim_difference_db(one, (np.array([5.0, 5.0]), np.array([0.9, 0.9])))
    # The first scheme has a mean of 0.825, with the standard error of the test of a scheme's mean above. A unit of the
    # index is 10 / (ln 10 x 0.175) dB. The other scheme has 10 dB without any spread.
    half = Z * math.sqrt(0.001875 * 0.625) * 10 / (math.log(10) * 0.175)
    estimate = -10 * math.log10(0.175) - 10
    assert (found.estimate, found.low, found.high) == pytest.approx(
        (estimate, estimate - half, estimate + half)
    )


def write_trial(folder, sessions):
    """Writes a folder in the format of the export. The sessions are given as (scheme, number, stalls), one per hour."""
    buffers, chunks = [], []
    for scheme, number, stalls in sessions:
        condition = "network" if number == 31 else None
        name = {"session_id": f"{scheme}/{number}", "index": 0, "arm": scheme, "condition": condition}
        began = number * 3600 * 10**9
        for each in stream(60, stalls=stalls):
            row = {"event": each.event, "buffer": each.buffer_s, "cum_rebuf": each.stalled_s}
            buffers.append({**name, "time": began + round(each.at_s * 1e9), **row})
        for sequence in range(3):
            chunks.append(
                {
                    **name,
                    "sequence": sequence,
                    "size": 250_000,
                    "duration": 2.0,
                    "outcome": "completed",
                    # 10 and 20 dB. The last chunk does not differ from the original, and is not averaged.
                    "ssim_index": (0.9, 0.99, 1.0)[sequence],
                    # All chunks but the first are paced, so their delivery rate is that of the pace and not of the
                    # path.
                    "pace": (None, 5e5, 5e5)[sequence],
                    "delivery_rate": (7e5 if scheme == "slow" else 8e5, 1e5, 5e5)[sequence],
                }
            )
    folder.mkdir()
    pd.DataFrame(buffers).to_parquet(folder / "client_buffer.parquet")
    pd.DataFrame(chunks).to_parquet(folder / "video_sent.parquet")
    return folder


@pytest.mark.pictures
def test_a_trial_from_its_tables_to_its_report(tmp_path, capsys):
    sessions = [
        (scheme, number, [(10, 12)] if number % 8 == 0 else [])
        for scheme in ("fast", "slow")
        for number in range(32)
    ]
    write_trial(tmp_path / "a", [each for each in sessions if each[1] < 16])
    write_trial(tmp_path / "b", [each for each in sessions if each[1] >= 16])
    out = tmp_path / "trial.html"
    assert main(["puffer", str(tmp_path), "--out", str(out), "--iterations", "200"]) == 0
    printed = capsys.readouterr().out
    assert "64 sessions, 64 streams" in printed
    # 4 of 32 streams of 59 s stall for 2 s: 8 / 1888 = 0.424%.
    assert printed.count("stalled 0.424%") == 3
    slow_paths = printed[printed.index("slow paths") :]
    assert "  slow " in slow_paths
    # On the network that both schemes used, (7e5 + 8e5) / 2 bytes/s are 6 Mbit/s, which counts as slow. There, `fast`
    # has one stream of 59 s.
    assert re.search(r"\n  fast +0\.0 h", slow_paths)
    # (0.9 + 0.99) / 2 = 0.945 is 12.596 dB, and the change from one segment to the next is 10 dB.
    assert "SSIM 12.596 dB" in printed
    page = out.read_text()
    assert page.index("What it says") < page.index("Where sessions and streams went")
    assert "10.000 dB" in page
    assert "1.000 s (1.000 to 1.000)" in page
    # The first segment of each stream has 0.9, without any spread.
    assert "10.000 dB (10.000 to 10.000)" in page
    assert page.count("<svg") == 3


def test_the_flow_and_the_growth(tmp_path):
    streams = pd.DataFrame(
        {
            "session_id": [f"{scheme}{n}" for scheme in "ab" for n in range(64)],
            "scheme": ["a"] * 64 + ["b"] * 64,
            "began": [*range(64), *range(64)],
            "watch_s": 60.0,
            "stall_s": [6.0 if n % 4 == 0 else 0.0 for n in range(128)],
            "truncated": [n < 3 for n in range(128)],
            "excluded": [DID_NOT_PLAY if n < 2 else "" for n in range(128)],
            "ssim_index": 0.95,
            "ssim_variation_db": 1.0,
            "startup_s": 1.0,
            "first_ssim_index": 0.9,
        }
    )
    first, second = flow(streams)
    assert (first.sessions, first.considered, first.truncated) == (64, 62, 1)
    assert first.excluded[DID_NOT_PLAY] == 2
    assert (second.considered, second.hours) == (64, pytest.approx(64 / 60))
    parts = growth(streams, iterations=500)
    assert parts[0].schemes[0].startup_s.estimate == 1
    assert parts[0].schemes[0].first_ssim_db.estimate == pytest.approx(10)
    # The first session is of only one scheme, and among the first four, the streams of `a` do not play. Of the first 16
    # sessions, each scheme has eight.
    assert [part.sessions for part in parts] == [16, 128]
    assert [scheme.streams for scheme in parts[0].schemes] == [6, 8]
    widths = [part.schemes[1].stall_ratio.high - part.schemes[1].stall_ratio.low for part in parts]
    assert widths[-1] < widths[-2]


def test_the_first_segment_counts_without_a_difference(tmp_path):
    write_trial(tmp_path / "a", [("fast", number, []) for number in range(2)])
    chunks = pd.read_parquet(tmp_path / "a" / "video_sent.parquet")
    # A black segment does not differ from the original, so the first segment of this session tells nothing, and the
    # second one does not take its place.
    black = (chunks.session_id == "fast/0") & (chunks.sequence == 0)
    chunks.loc[black, "ssim_index"] = 1.0
    chunks.to_parquet(tmp_path / "a" / "video_sent.parquet")
    found = read_streams(tmp_path).set_index("session_id").first_ssim_index
    assert np.isnan(found["fast/0"])
    assert found["fast/1"] == 0.9


def test_the_same_sessions_in_two_folders_are_refused(tmp_path, capsys):
    for name in "ab":
        write_trial(tmp_path / name, [("fast", number, []) for number in range(2)])
    assert main(["puffer", str(tmp_path)]) == 1
    complaint = capsys.readouterr().err
    assert "session 'fast/0' is in " in complaint
    assert str(tmp_path / "a" / "video_sent.parquet") in complaint
    assert str(tmp_path / "b" / "video_sent.parquet") in complaint
    assert complaint.count("\n") == 1


def test_a_folder_without_a_trial_is_refused_in_one_line(tmp_path, capsys):
    assert main(["puffer", str(tmp_path / "nowhere")]) == 1
    assert "no such folder" in capsys.readouterr().err
    assert main(["puffer", str(tmp_path)]) == 1
    assert "no client_buffer.parquet; npm run lab -- report DIR --puffer" in capsys.readouterr().err
    (tmp_path / "client_buffer.parquet").write_text("nonsense")
    (tmp_path / "video_sent.parquet").write_text("nonsense")
    assert main(["puffer", str(tmp_path)]) == 1
    complaint = capsys.readouterr().err
    assert "cannot be read" in complaint
    assert complaint.count("\n") == 1
