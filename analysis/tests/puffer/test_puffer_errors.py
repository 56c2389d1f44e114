"""Errors in the files of a day, which are reported in one line."""

import gzip
import math
import shutil

import pytest
from puffer_day import NAME

from sammy_analysis.experiment.command import main
from sammy_analysis.puffer.read import read_streams, read_trial
from sammy_analysis.puffer.rules import PUFFER

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
