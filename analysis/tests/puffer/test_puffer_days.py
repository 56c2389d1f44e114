"""Days in the format of Puffer's data, compared with the output of Puffer's own programs, and converted there and back."""

import gzip
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from puffer_day import NAME

from sammy_analysis.experiment.command import main
from sammy_analysis.puffer.as_csv import write_days
from sammy_analysis.puffer.read import common_days, read_streams
from sammy_analysis.puffer.rules import LAB, PUFFER
from sammy_analysis.puffer.trial import schemes

#: The output of csv_to_stream_stats of github.com/StanfordSNR/puffer-statistics, commit 36b5593, for this day.
THEIRS = pd.read_csv(Path(__file__).with_name("puffer_statistics.csv"))
#: The output of stream_to_scheme_stats, for all streams and for slow ones: the number of streams that count, stall
#: ratio in %, SSIM in dB and SSIM variation in dB. Each is given as low, mean and high.
SCHEMES = {
    "all": {
        "bba/bbr": (
            10,
            (0, 0.535, 1.593),
            (12.22033978, 12.65546913, 13.13909956),
            (5.21189417, 6.1677865, 7.12367883),
        ),
        "fugu/bbr": (
            10,
            (0.188, 0.964, 2.073),
            (11.93741831, 12.53101208, 13.21877962),
            (4.62797946, 5.54999643, 6.4720134),
        ),
        "mpc/cubic": (
            10,
            (0.168, 0.921, 2.389),
            (12.51237779, 12.92337313, 13.37736776),
            (4.73525785, 5.291363, 5.84746815),
        ),
    },
    "slow": {
        "bba/bbr": (
            6,
            (0, 0.438, 1.832),
            (12.33437194, 12.84866911, 13.43215511),
            (4.61996121, 5.6090046, 6.59804799),
        ),
        "fugu/bbr": (
            7,
            (0.164, 1.082, 2.483),
            (12.21913011, 12.81738099, 13.51141175),
            (4.5869029, 5.7691042, 6.9513055),
        ),
        "mpc/cubic": (
            6,
            (0, 0.819, 2.851),
            (12.69702613, 13.14090309, 13.63536643),
            (5.02306339, 5.5773575, 6.13165161),
        ),
    },
}


def test_streams_equal_those_of_puffers_own_program(day):
    found = read_streams(day, PUFFER)
    ours = found.assign(ts=found.began // 10**9).sort_values("ts", ignore_index=True)
    assert ours.ts.tolist() == THEIRS.ts.tolist()
    assert ours.scheme.tolist() == THEIRS.scheme.tolist()
    # Puffer's output has six decimals, and times in single precision.
    np.testing.assert_allclose(ours.played_s, THEIRS.total_after_startup, atol=2e-6)
    counts = THEIRS.valid == "good"
    assert counts.sum() == 42
    np.testing.assert_allclose(ours.stall_s[counts], THEIRS.stall_after_startup[counts], atol=2e-6)
    np.testing.assert_allclose(ours.startup_s[counts], THEIRS.startup_delay[counts], atol=2e-6)
    assert (ours.excluded[counts & (ours.played_s >= 4)] == "").all()
    assert (ours.excluded[~counts] != "").all()
    assert ours.truncated[counts].tolist() == (THEIRS.full_extent == "trunc")[counts].tolist()
    ssim = THEIRS.mean_ssim.where(THEIRS.mean_ssim >= 0)
    np.testing.assert_allclose(ours.ssim_index, ssim, atol=1e-6)
    steps = THEIRS.ssim_variation_db.where(THEIRS.ssim_variation_db > 0)
    # An index in single precision is off by 3e-8, which is 3e-5 dB per step at 0.995.
    np.testing.assert_allclose(ours.ssim_variation_db, steps, atol=2e-4)
    rates = THEIRS.mean_delivery_rate.where(THEIRS.mean_delivery_rate >= 0)
    np.testing.assert_allclose(ours.rate, rates, atol=1e-6)


def test_the_table_equals_that_of_puffers_own_program(day):
    streams = read_streams(day, PUFFER)
    for group, part in (("all", streams), ("slow", streams[streams.slow])):
        found = {each.name: each for each in schemes(part, rules=PUFFER)}
        assert [*found] == [*SCHEMES[group]]
        for name, (count, stalled, ssim, steps) in SCHEMES[group].items():
            one = found[name]
            assert one.streams == count
            for interval, (low, mean, high), tolerance in (
                # Puffer's statistics of streams have six decimals: 5e-7 of an index of 0.95 are 4e-5 dB.
                (one.ssim_db, ssim, 4e-5),
                (one.ssim_variation_db, steps, 2e-4),
                # Both draw 10,000 trials, so the mean is exact to 0.006 percentage points, and the ends to 0.05.
                (one.stall_ratio, tuple(each / 100 for each in stalled), 0.0012),
            ):
                assert (interval.low, interval.estimate, interval.high) == pytest.approx(
                    (low, mean, high), abs=tolerance
                )


def test_the_labs_rules_differ_as_documented(day):
    puffer, lab = (
        read_streams(day, rules).sort_values("began", ignore_index=True) for rules in (PUFFER, LAB)
    )
    same = ["watch_s", "stall_s", "excluded", "truncated"]
    pd.testing.assert_frame_equal(puffer[same], lab[same])
    # The last chunk of each stream of the third scheme did not arrive.
    differ = (puffer.ssim_index - lab.ssim_index).abs() > 1e-9
    assert {*puffer.scheme[differ]} == {"mpc/cubic"}


def exported(day, folder):
    """Writes the day in the format of `npm run lab -- report --puffer`."""
    folder.mkdir()
    csv = {
        table: f"read_csv('{day}/{table}_{NAME}.csv')"
        for table in ("client_buffer", "video_sent", "video_acked")
    }
    arms = "['a', 'b', 'c'][expt_id] AS arm, NULL::VARCHAR AS condition"
    stream = f'"time (ns GMT)" AS time, * EXCLUDE ("time (ns GMT)"), {arms}'
    order = 'row_number() OVER (PARTITION BY session_id, "index" ORDER BY "time (ns GMT)") AS sequence'
    outcome = (
        f"CASE WHEN (session_id, index, video_ts) IN (SELECT (session_id, index, video_ts) FROM {csv['video_acked']}) "
        "THEN 'completed' ELSE 'abandoned' END AS outcome"
    )
    for table, more in (
        ("client_buffer", ""),
        ("video_acked", f", {order}"),
        ("video_sent", f", {order}, {outcome}, 2.002 AS duration, NULL::DOUBLE AS pace"),
    ):
        rows = duckdb.execute(f"SELECT {stream}{more} FROM {csv[table]}").df()
        rows.to_parquet(folder / f"{table}.parquet")
    return folder


def test_the_labs_tables_survive_a_round_trip(day, tmp_path):
    lab = exported(day, tmp_path / "tonight's")
    (line,) = write_days(lab, tmp_path / "csv")
    assert NAME in line
    columns = [
        "scheme",
        "watch_s",
        "stall_s",
        "startup_s",
        "excluded",
        "slow",
        "ssim_index",
        "ssim_variation_db",
        "rate",
    ]
    for rules in (PUFFER, LAB):
        sides = []
        for folder in (lab, tmp_path / "csv"):
            found = read_streams(folder, rules).sort_values("began", ignore_index=True)[columns]
            sides.append(found.sort_values(columns, ignore_index=True))
        pd.testing.assert_frame_equal(*sides, rtol=1e-9)
    written = (tmp_path / "csv" / NAME / f"client_buffer_{NAME}.csv").read_text().splitlines()
    original = (day / f"client_buffer_{NAME}.csv").read_text().splitlines()
    assert sorted(written) == sorted(original)


def test_only_days_with_all_schemes_of_the_last_day_count():
    day = 86_400 * 10**9
    rows = [(0, "a"), (0, "b"), (2, "a"), (2, "b"), (3, "a"), (3, "b"), (3, "c"), (4, "b"), (4, "a")]
    streams = pd.DataFrame(
        [(n * day + 11 * 3600 * 10**9, scheme) for n, scheme in rows], columns=["began", "scheme"]
    )
    kept, (note,) = common_days(streams)
    # The days without a gap are 2 to 4, and only the last day's schemes count.
    assert [*zip(kept.began // day, kept.scheme, strict=True)] == [
        (2, "a"),
        (2, "b"),
        (3, "a"),
        (3, "b"),
        (4, "b"),
        (4, "a"),
    ]
    assert note.startswith("3 of 9 streams are left out: of other days than the last 3")


def test_compressed_files_are_read_directly(day, tmp_path):
    plain = read_streams(day, LAB)
    for file in day.glob("*.csv"):
        # A store may leave out the ending .gz.
        name = file if file.name.startswith("video") else file.with_name(f"{file.name}.gz")
        compressed = gzip.compress(file.read_bytes())
        file.unlink()
        name.write_bytes(compressed)
    pd.testing.assert_frame_equal(read_streams(day, LAB), plain)


def test_the_command_states_the_applied_rules(day, tmp_path, capsys):
    out = tmp_path / "puffer.html"
    assert main(["puffer", str(day), "--out", str(out), "--iterations", "100"]) == 0
    printed = capsys.readouterr().out
    assert "30 sessions, 60 streams, by the rules of Puffer's published analysis (--rules lab" in printed
    assert "6 of 60 streams the time stalled goes down as time goes on: their clocks disagree" in printed
    assert "fugu/bbr: 10 streams considered, 10 left out" in printed
    assert "Puffer's (--rules puffer), used here" in out.read_text()
    assert main(["puffer", str(day), "--out", str(out), "--iterations", "100", "--rules", "lab"]) == 0
    assert "by the lab's rules (--rules puffer" in capsys.readouterr().out


def test_a_folder_with_files_is_not_overwritten(day, tmp_path, capsys):
    lab = exported(day, tmp_path / "lab")
    assert main(["puffer", str(lab), "--csv", str(day)]) == 1
    assert "is not empty; name a new folder" in capsys.readouterr().err
