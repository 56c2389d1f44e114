"""Messages about a mistyped command, option or choice."""

import pytest

from sammy_analysis.experiment.command import main
from sammy_analysis.ttp.command import main as learn

FOLDERS = ["ttp", "--data", "a", "--out", "b"]


@pytest.mark.parametrize(
    ("program", "words", "meant"),
    [
        (main, ["analyse", "x"], "analyze"),
        (main, ["analyze", "x", "--desing", "paired"], "--design"),
        (main, ["analyze", "x", "--design=pared"], "paired"),
        (main, ["lint", "x", "--expirement=a"], "--experiment"),
        (learn, ["tpp"], "ttp"),
        (learn, [*FOLDERS, "--helt-out", "sessions"], "--held-out"),
        (learn, [*FOLDERS, "--held-out", "session"], "sessions"),
    ],
)
def test_a_mistyped_name_gets_a_suggestion(capsys, program, words, meant):
    assert program(words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"(Did you mean {meant}?)" in line


@pytest.mark.parametrize("words", [["zzz"], ["analyze", "x", "y"], ["analyze", "x", "--quux"]])
def test_an_unknown_name_gets_no_suggestion(capsys, words):
    assert main(words) == 1
    assert "Did you mean" not in capsys.readouterr().err
