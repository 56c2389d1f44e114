"""The optimizer as a program that answers each line with another line."""

import io
import json

import pytest

from sammy_analysis import search

SPACE = [
    {"name": "kind", "choices": ["plain", "other"]},
    {"name": "x", "low": 1, "high": 4, "when": {"kind": "plain"}},
    {"name": "y", "low": 1, "high": 100, "log": True},
]
FIRST = {"kind": "plain", "x": 2.5, "y": 10}


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Returns a function that sends requests to a new run of the program, and returns its answers. The file of the
    study remains for the next run."""

    def ask_all(*requests):
        opening = {
            "storage": str(tmp_path / "study.db"),
            "study": "s",
            "seed": 1,
            "directions": ["minimize", "maximize"],
            "space": SPACE,
            "enqueue": [FIRST],
        }
        lines = [json.dumps(each) for each in ({"open": opening}, *requests)]
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
        assert search.main() == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask_all


def tell(trial, *values):
    return {"tell": {"trial": trial, "values": list(values), "attributes": {"by trace": [1, None]}}}


def test_the_initial_points_are_tried_first_and_kept(ask):
    opened, asked, told, trials = ask({"ask": True}, tell(0, 3, 4), {"trials": True})
    assert opened == {"opened": {"finished": 0}}
    assert asked == {"trial": 0, "params": FIRST}
    assert told == {"told": 0}
    attributes = {"by trace": [1, None]}
    assert trials == {"trials": [{"trial": 0, "params": FIRST, "values": [3, 4], "attributes": attributes}]}


def test_a_search_resumes_and_drops_unfinished_trials(ask):
    ask({"ask": True}, tell(0, 3, 4), {"ask": True})
    opened, asked, trials = ask({"ask": True}, {"trials": True})
    assert opened == {"opened": {"finished": 1}}
    # Trial 1 was proposed, but its values were never reported.
    assert asked["trial"] == 2
    assert [each["trial"] for each in trials["trials"]] == [0]


def test_points_are_within_the_space(ask):
    requests = [
        request for trial in range(20) for request in ({"ask": True}, tell(trial, trial % 7, trial % 5))
    ]
    points = [answer["params"] for answer in ask(*requests) if "params" in answer]
    assert {point["kind"] for point in points} == {"plain", "other"}
    for point in points:
        assert ("x" in point) == (point["kind"] == "plain")
        assert 1 <= point.get("x", 1) <= 4
        assert 1 <= point["y"] <= 100


def test_unanswerable_requests_are_reported(ask, monkeypatch, capsys):
    assert ask(tell(7, 1, 2))[1] == {"error": "KeyError: 7"}
    assert "unknown request" in ask({"guess": 1})[1]["error"]
    monkeypatch.setattr("sys.stdin", io.StringIO('{"ask": true}\nnonsense\n'))
    search.main()
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"error": "ValueError: no study is open"}
    assert second["error"].startswith("JSONDecodeError")
