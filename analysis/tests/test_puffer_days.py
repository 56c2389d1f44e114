"""Days in the format of Puffer's data: compared with the output of Puffer's own programs, converted there and back, and
with errors."""

import gzip
import math
import random
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from puffer_day import NAME, write_day
from puffer_playback import Report, playback

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.simulations.bench import Step
from sammy_analysis.puffer import bench, command
from sammy_analysis.puffer.as_csv import write_days
from sammy_analysis.puffer.read import common_days, read_streams, read_trial
from sammy_analysis.puffer.rules import LAB, PUFFER
from sammy_analysis.puffer.stream_query import DECODER, STREAMS, event_number
from sammy_analysis.puffer.streams import SHORT, SLOW_DECODER
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


@pytest.fixture
def day(tmp_path):
    return write_day(tmp_path / "day")


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
                # Both programs draw 10,000 trials, so the mean is known within 0.006 points, and the ends within 0.05.
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


def lives(seed, count):
    """Yields random streams, as lists of seconds, event, buffer and time stalled."""
    draw = random.Random(seed)
    for _ in range(count):
        at, stalled, rows = 0.0, 0.0, [(0.0, "init", 0.0, 0.0)]
        low = 0
        for _ in range(draw.randrange(2, 200)):
            at = round(at + draw.choice([0.25] * 30 + [0.1, 7.99, 8.0, 8.01] * (draw.random() < 0.1)), 3)
            low = max(0, low - 1) or (draw.randrange(100) if draw.random() < 0.02 else 0)
            stalled = round(
                stalled + draw.choice([0] * 20 + [0.25, 0.15, 0.16] + [-0.1] * (draw.random() < 0.05)), 3
            )
            event = draw.choices(["timer", "startup", "rebuffer", "play", "init"], [30, 2, 1, 1, 0.5])[0]
            rows.append(
                (at, event, draw.choice([0, 0.3]) if low else draw.choice([0.31, 5, 5.01, 12]), stalled)
            )
        yield rows


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


BUFFER = f"client_buffer_{NAME}.csv"
SENT = f"video_sent_{NAME}.csv"


def change(file, old, new, count=1):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, count))


def cut(file, size):
    file.write_bytes(file.read_bytes()[:size])


def twice_the_day(day):
    shutil.copy(day / BUFFER, day / f"{BUFFER}.gz")


def twice_the_rows(day):
    lines = (day / BUFFER).read_text().splitlines(keepends=True)
    (day / BUFFER).write_text("".join([*lines, *lines[5:9]]))


def cut_gzip(day):
    (day / BUFFER).write_bytes(gzip.compress((day / BUFFER).read_bytes())[:-2000])


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (
            lambda day: change(day / BUFFER, "cum_rebuf", "rebuf"),
            "has no column cum_rebuf; it has time (ns GMT), session",
        ),
        (lambda day: shutil.copy(day / SENT, day / BUFFER), f"{BUFFER}: has no column event"),
        (
            lambda day: (day / BUFFER).write_text("a,b\n1,2\n"),
            f"{BUFFER}: is no client_buffer of Puffer's: its first line is 'a,b'",
        ),
        (lambda day: (day / BUFFER).write_bytes(bytes(range(256))), f"{BUFFER}: is no CSV"),
        (lambda day: (day / BUFFER).write_text(""), f"{BUFFER}: is no client_buffer of Puffer's"),
        (lambda day: cut(day / BUFFER, 90_000), f"{BUFFER}: ends in the middle of a line, so it is cut off"),
        (lambda day: change(day / BUFFER, ",timer,0,0.25\n", ",timer\n"), f"{BUFFER}: line "),
        (lambda day: change(day / BUFFER, ",timer,0,0.25\n", ",timer,much,0.25\n"), f"{BUFFER}: line "),
        (cut_gzip, f"{BUFFER}: is cut off or no gzip file"),
        (twice_the_day, "the same day twice"),
        (twice_the_rows, "have a report twice, such as 0 of session 'session0='"),
        (
            lambda day: change(day / BUFFER, ",timer,", ",tick,"),
            "has the event 'tick' in 1 rows; known: init",
        ),
        (
            lambda day: change(day / BUFFER, ",timer,0,0.25\n", ",timer,,0.25\n"),
            "has 1 rows without a time, buffer or cum_rebuf",
        ),
        (
            lambda day: change(day / BUFFER, "\n1546426800", "\n15464268"),
            "has the time 15464268000000000, which is not ns since 1970",
        ),
        (lambda day: change(day / BUFFER, ",0,1,abc,timer", ",0,2,abc,timer"), "is of two schemes: 1 and 2"),
        (lambda day: (day / SENT).unlink(), f"no {SENT} beside {BUFFER}"),
        (lambda day: (day / "logs" / "expt_settings").unlink(), "has no logs/expt_settings"),
        (
            lambda day: (day / "logs" / "expt_settings").write_text("1 {"),
            "expt_settings: line 1 is no expt_id and JSON: '1 {'",
        ),
        (
            lambda day: (day / "logs" / "expt_settings").write_text('9 {"abr": "x"}\n'),
            "expt_id 1 is not in the day's expt_settings",
        ),
        (
            lambda day: (day / "client_buffer.parquet").write_text(""),
            "has Puffer's CSVs and the lab's Parquet",
        ),
    ],
)
def test_errors_are_reported_in_one_line(day, capsys, spoil, complaint):
    spoil(day)
    assert main(["puffer", str(day), "--out", str(day / "x.html")]) == 1
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
    assert not (day / "x.html").exists()


def test_timestamps_of_another_day_are_reported(day):
    for file in day.glob("*.csv"):
        file.rename(
            file.with_name(file.name.replace("2019-01-02T11_2019-01-03T11", "2019-01-03T11_2019-01-04T11"))
        )
    notes = read_trial(day, PUFFER).notes
    assert any("60 of 60 streams began on another day than its name says" in note for note in notes)


def test_a_day_without_acknowledgments_does_not_support_the_labs_rules(day, capsys):
    (day / f"video_acked_{NAME}.csv").unlink()
    assert main(["puffer", str(day), "--rules", "lab"]) == 1
    assert "which says what arrived; --rules puffer needs none" in capsys.readouterr().err
    assert math.isfinite(read_streams(day, PUFFER).ssim_index.mean())


def test_a_folder_with_files_is_not_overwritten(day, tmp_path, capsys):
    lab = exported(day, tmp_path / "lab")
    assert main(["puffer", str(lab), "--csv", str(day)]) == 1
    assert "is not empty; name a new folder" in capsys.readouterr().err


def test_the_benchmarks_day_has_puffers_format(tmp_path):
    rows = bench.make(tmp_path, 60_000)
    lines = [len(file.read_text().splitlines()) - 1 for file in tmp_path.glob("*.csv")]
    assert sum(lines) == rows
    assert 20_000 < rows < 180_000
    streams = read_streams(tmp_path, PUFFER)
    assert {*streams.excluded} <= {"", SHORT}
    assert streams.scheme.nunique() == 5


def test_the_benchmark_estimates_the_cost_of_a_billion_rows(monkeypatch):
    steps = (Step(40, 1300, 20.0), Step(50, 1500, 30.0))
    monkeypatch.setattr(command, "bench", lambda rows: bench.Bench(rows, 1900, *steps))
    lines = command.bench_lines(20_000_000)
    # Fifty times 20 s and 30 s.
    assert lines[1].endswith("20.0 CPU s, 40.0 s, at most 1,300 MB; a billion rows, day by day: 17 CPU min")
    assert lines[2].endswith("a billion rows, day by day: 25 CPU min")
    assert lines[3] == "Puffer's day has 14.2 million such rows in the mean, a billion are 70 days"


def test_a_file_instead_of_its_folder(day, capsys):
    assert main(["puffer", str(day / BUFFER)]) == 1
    assert "is a file; name the folder that it is in" in capsys.readouterr().err


def test_a_day_without_rows_and_one_without_chunks(day, capsys, tmp_path):
    (day / SENT).write_text((day / SENT).read_text().splitlines(keepends=True)[0])
    assert main(["puffer", str(day), "--out", str(tmp_path / "x.html"), "--iterations", "10"]) == 0
    assert "SSIM -" in capsys.readouterr().out
    (day / BUFFER).write_text((day / BUFFER).read_text().splitlines(keepends=True)[0])
    assert main(["puffer", str(day)]) == 1
    assert "client_buffer has no rows" in capsys.readouterr().err
