"""The output: names as text, files that must not be overwritten, terminals without Unicode, and interrupts."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from good_sessions import GOOD, like
from session_files import HEADER, refusal, run, write

from sammy_analysis.experiment import command
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.commands import sessions as sessions_of_command


@pytest.mark.pictures
def test_names_are_text_and_neither_formulas_nor_html(tmp_path, capsys):
    name = 'cost_$x$_"<blink>'
    rows = [[*row[:2], f"{row[2]}_$^$", *row[3:]] for row in GOOD]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], name]))
    assert "<blink>" not in page.lower()
    assert "cost $x$ &quot;&lt;blink&gt;" in page


@pytest.mark.pictures
def test_letters_of_any_alphabet(tmp_path, capsys, recwarn):
    rows = [[*row[:2], "リンク" if row[2] == "one" else row[2], *row[3:]] for row in GOOD]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "リンク" in page
    assert not [each for each in recwarn if "Glyph" in str(each.message)]


def test_control_characters_in_names_are_escaped(tmp_path):
    bad = like(session_id="x\x1b[31m\x9b2J", min_rtt_ms="35 ms")
    header = [*HEADER, "\x1b]0;title\x07_kbps"]
    path = write(tmp_path / "s.csv", [[*row, 5] for row in [*GOOD, bad]], header)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    program = [sys.executable, "-m", "sammy_analysis", "analyze", path, "--out", str(tmp_path / "r.html")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert "u{1b}" in done.stdout + done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x9b" not in done.stdout + done.stderr
    absent = [sys.executable, "-m", "sammy_analysis", "analyze", "none\x1b[31m.csv"]
    assert (
        "none\\u{1b}[31m.csv"
        in subprocess.run(absent, env=environment, capture_output=True, text=True).stderr
    )


def test_a_terminal_without_greek_letters(tmp_path):
    path = write(tmp_path / "s.csv", GOOD)
    program = [sys.executable, "-m", "sammy_analysis", "analyze", path, "--out", str(tmp_path / "r.html")]
    ascii_only = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(program, env=ascii_only, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "26.7%" in done.stdout


def test_a_report_does_not_overwrite_sessions(tmp_path, capsys):
    path = write(tmp_path / "s.csv", GOOD)
    before = (tmp_path / "s.csv").read_bytes()
    says = f"--out: {path} is a file of sessions by its name, and the report is a page: FILE.html"
    assert refusal(capsys, path, "--out", path) == says
    assert (tmp_path / "s.csv").read_bytes() == before
    says = f"--out: {tmp_path} is a folder; name a file in it"
    assert refusal(capsys, path, "--out", str(tmp_path)) == says


def test_a_folder_without_write_permission(tmp_path, capsys):
    path = write(tmp_path / "s.csv", GOOD)
    assert main(["analyze", path, "--out", f"{path}/report.html"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_stops_a_query_silently_and_a_second_one_does_not_interrupt_the_cleanup(
    tmp_path, capsys, monkeypatch
):
    def interrupted(*_):
        with pytest.raises(KeyboardInterrupt):
            command._stop()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        # DuckDB raises this when it is interrupted.
        raise RuntimeError("Query interrupted")

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sessions_of_command, "read", interrupted)
    monkeypatch.setattr(command, "STOPPED", Event())
    try:
        assert main(["lint", write(tmp_path / "s.csv", GOOD)]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == ""
