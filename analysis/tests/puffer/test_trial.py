"""The analysis of a trial, compared with hand arithmetic: blinded at first, and with the benefit of learning in the
trial."""

import json
from dataclasses import replace

import pandas as pd
import pytest
from played_stream import stream
from ttp_chunks import network_sessions

from sammy_analysis.experiment.command import main
from sammy_analysis.puffer.trial import Flow
from sammy_analysis.puffer.uncertainty import Interval
from sammy_analysis.trial.compare import Comparison, by_day, compare
from sammy_analysis.trial.fairness import Fairness, fairness
from sammy_analysis.trial.findings import with_left_out
from sammy_analysis.trial.read import LeftOut
from sammy_analysis.trial.report import verdict
from sammy_analysis.ttp.inputs import make_examples
from sammy_analysis.ttp.train import TrainingSettings, train

KEY = {"A": "fugu-frozen", "B": "dashjs", "C": "fugu-in-situ"}
SETTINGS = {
    "name": "trial",
    "runs": 3,
    "seed": 4,
    "arms": ["dashjs", "fugu-in-situ", "fugu-frozen"],
    "networks": ["one", "two"],
    "first_day": 2,
    "roles": {"retrained": "fugu-in-situ", "frozen": "fugu-frozen", "emulated": None},
}
DAY_NS = 86_400 * 10**9
#: Sessions per arm and day: as many as a verdict needs.
SESSIONS = 30


def write_part(folder, part, day):
    """Creates and returns the folder for the sessions that one machine played on a day."""
    made = folder / "runs" / f"part-{part:03}" / str(day)
    made.mkdir(parents=True)
    return made


def write_manifest(folder, settings):
    made = {
        "command": "npm run lab -- trial",
        "commit": "abc",
        "versions": {"film": "Film"},
        "experiment": settings,
    }
    (folder / "manifest.json").write_text(json.dumps(made))


def write_trial(folder, key=KEY):
    """Writes three days of streams of 60 s. The first day has only B. Every other stream of A stalls for 2 s on the
    third day."""
    for day in (1, 2, 3):
        buffers, chunks = [], []
        for code in "B" if day == 1 else "ABC":
            for number in range(SESSIONS):
                session = {"session_id": f"day-00{day}/{code}{number}", "index": 0, "arm": code}
                name = {**session, "condition": ("one", "two")[number % 2]}
                stalls = [(10, 12)] if code == "A" and day == 3 and number % 2 else []
                for each in stream(60, stalls=stalls):
                    at = day * DAY_NS + round(each.at_s * 1e9)
                    row = {"time": at, "event": each.event, "buffer": each.buffer_s}
                    buffers.append({**name, **row, "cum_rebuf": each.stalled_s})
                index = 0.99 if code == "C" else 0.9
                told = {"size": 250_000, "duration": 2.0, "outcome": "completed", "pace": None}
                rate = 5e5 if number % 2 else 1e6
                chunks.append({**name, **told, "sequence": 0, "ssim_index": index, "delivery_rate": rate})
        part = write_part(folder, 1, day)
        pd.DataFrame(buffers).to_parquet(part / "client_buffer.parquet")
        pd.DataFrame(chunks).to_parquet(part / "video_sent.parquet")
    write_manifest(folder, SETTINGS)
    if key:
        (folder / "key.json").write_text(json.dumps(key))


@pytest.mark.pictures
def test_a_trial_from_its_days_to_its_report(tmp_path, capsys):
    write_trial(tmp_path)
    assert main(["trial", str(tmp_path), "--iterations", "200"]) == 0
    printed = capsys.readouterr().out
    found = json.loads((tmp_path / "trial.json").read_text())
    arms = {each["name"]: each for each in found["primary"]["found"]}
    assert list(arms) == SETTINGS["arms"]
    # A has two days, and every other stream of its second day stalls for 2 of 59 s.
    assert arms["fugu-frozen"]["streams"] == 2 * SESSIONS
    assert arms["fugu-frozen"]["stall_ratio"]["estimate"] == pytest.approx(SESSIONS / (2 * SESSIONS * 59))
    assert arms["fugu-in-situ"]["ssim_db"]["estimate"] == pytest.approx(20)
    assert arms["dashjs"]["startup_s"] == {"estimate": 1, "low": 1, "high": 1}
    assert arms["dashjs"]["first_ssim_db"]["estimate"] == pytest.approx(10)
    assert found["run_in_sessions"] == SESSIONS
    assert [each["sessions"] for each in found["primary"]["flows"]] == [2 * SESSIONS] * 3
    # Network `two` delivers 4 Mbit/s.
    assert found["primary"]["slow"][0]["streams"] == SESSIONS
    stale = found["learnt"]["stale"]
    assert stale["streams"] == [SESSIONS, SESSIONS]
    assert stale["stall_ratio"]["estimate"] == pytest.approx(-SESSIONS / (SESSIONS * 59))
    assert stale["ssim_db"]["estimate"] == pytest.approx(10)
    assert [day["day"] for day in found["learnt"]["days"]] == [2, 3]
    assert found["learnt"]["in_situ"] is None
    assert "fugu-in-situ beside fugu-frozen: it stalls less and its SSIM is higher" in printed
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") >= 4
    assert "nan" not in page.lower().replace("finance", "")


def test_a_trial_is_blinded_until_its_figures_are_written(tmp_path, capsys):
    write_trial(tmp_path, key=None)
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 1
    assert "has no key.json" in capsys.readouterr().err
    text = (tmp_path / "blinded.json").read_text()
    assert [each["name"] for each in json.loads(text)["found"]] == ["A", "B", "C"]
    assert not any(arm in text for arm in KEY.values())
    # With another key the same figures have other names.
    (tmp_path / "key.json").write_text(json.dumps({"A": "dashjs", "B": "fugu-in-situ", "C": "fugu-frozen"}))
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    assert (tmp_path / "blinded.json").read_text() == text
    arms = json.loads((tmp_path / "trial.json").read_text())["primary"]["found"]
    assert [each["ssim_db"]["estimate"] for each in arms] == pytest.approx([10, 10, 20])


def test_arms_that_cannot_be_compared(tmp_path):
    streams = pd.DataFrame(
        {
            "scheme": ["one", "one", "other"],
            "excluded": "",
            "day": [1, 1, 1],
            "watch_s": 60.0,
            "stall_s": 0.0,
            "startup_s": 1.0,
            "ssim_index": 0.9,
            "first_ssim_index": 0.9,
            "ssim_variation_db": 1.0,
        }
    )
    assert compare(streams, "one", "other") is None
    assert by_day(streams, ["one", "other"], iterations=10) == []
    twice = pd.concat([streams, streams])
    found = compare(twice, "one", "other", iterations=10)
    assert found.streams == (4, 2)
    assert verdict(found) == "too few streams for a verdict, 4 and 2: it takes 30 of each"
    assert [day.day for day in by_day(twice, ["one", "other"], iterations=10)] == [1]


@pytest.mark.parametrize(
    ("streams", "words"),
    [
        ((30, 30), "it stalls less and its SSIM is lower"),
        ((29, 300), "too few streams for a verdict, 29 and 300: it takes 30 of each"),
        ((1000, 2), "too few streams for a verdict, 1,000 and 2: it takes 30 of each"),
    ],
)
def test_a_verdict_needs_thirty_streams_of_each_arm(streams, words):
    below = Interval(-1, -2, -0.5)
    assert verdict(Comparison("one", "other", streams, (9, 1), below, below, None, below)) == words


def test_few_stalls_do_not_show_which_arm_stalls_less():
    """Four of 30 streams stalled in one arm and none in the other. Chance causes as much in one of nine trials,
    although the bootstrap excludes 0."""
    streams = pd.DataFrame(
        {
            "scheme": ["one"] * 30 + ["other"] * 30,
            "excluded": "",
            "day": 1,
            "watch_s": 60.0,
            "stall_s": [0.0] * 30 + [3.0] * 4 + [0.0] * 26,
            "startup_s": 1.0,
            "ssim_index": 0.9,
            "first_ssim_index": 0.9,
            "ssim_variation_db": 1.0,
        }
    )
    found = compare(streams, "one", "other", iterations=2000)
    assert found.stalled == (0, 4)
    assert found.stall_ratio.high < 0
    assert verdict(found) == "only 4 streams stalled, too few to tell which stalls less"
    below = Interval(-1, -2, -0.5)
    assert verdict(replace(found, stalled=(2, 8))) == "it stalls less"
    assert verdict(replace(found, ssim_db=below)).endswith("which stalls less and its SSIM is lower")


def test_sessions_of_a_busy_machine_are_only_in_the_flow_diagram(tmp_path, capsys):
    write_trial(tmp_path)
    left_out = {
        "session_id": "day-002/C9",
        "arm": "C",
        "left_out": "other programs took 40.0% of the machine",
    }
    # The session of the first day does not count anyway.
    for day, record in ((1, {**left_out, "session_id": "day-001/B9", "arm": "B"}), (2, left_out)):
        (write_part(tmp_path, 2, day) / "part.json").write_text(json.dumps(record))
    (tmp_path / "runs" / "part-001" / "3" / "part.json").write_text(json.dumps({"arm": "A"}))
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    assert f"1 of {6 * SESSIONS + 1} sessions were left out: the machine was busy" in capsys.readouterr().out
    found = json.loads((tmp_path / "trial.json").read_text())
    flows = {
        each["name"]: (each["sessions"], each["streams"], each["busy"]) for each in found["primary"]["flows"]
    }
    each_arm = 2 * SESSIONS
    assert flows["fugu-in-situ"] == (each_arm + 1, each_arm, 1)
    assert flows["dashjs"] == (each_arm, each_arm, 0)
    assert [(each["scheme"], each["day"]) for each in found["left_out"]] == [
        ("dashjs", 1),
        ("fugu-in-situ", 2),
    ]
    assert "left out: the machine was busy" in (tmp_path / "report.html").read_text()
    # A scheme that lost all its sessions is listed, too.
    alone = with_left_out([], [LeftOut("day-002/C9", "C", 2, "busy")])
    assert [(each.name, each.sessions, each.streams, each.busy) for each in alone] == [("C", 1, 0, 1)]


def make_flow(name, sessions, considered):
    return Flow(name, sessions, sessions, {}, considered, 0, 1.0)


def test_the_assignment_and_the_exclusions_are_tested():
    fair = fairness([make_flow("A", 100, 90), make_flow("B", 100, 90)])
    assert (fair.assigned_p, fair.counted_p, fair.alarms) == (1, 1, [])
    # Twice (150 - 100)² / 100 is a χ² of 50 with one degree of freedom, seven standard deviations. In both arms, nine
    # tenths count.
    fair = fairness([make_flow("A", 150, 135), make_flow("B", 50, 45)])
    assert fair.assigned_p < 1e-11
    assert [each.partition(" (")[0] for each in fair.alarms] == [
        "the arms did not get equal numbers of sessions"
    ]
    # The arms lose 10 and 50 of 100 sessions, and 30 are expected in each arm.
    fair = fairness([make_flow("A", 100, 90), make_flow("B", 100, 50)])
    assert fair.assigned_p == 1
    assert fair.counted_p < 1e-8
    assert fair.alarms[0].startswith("the arms lost different shares of their sessions")
    # These are too few for a test: four of a hundred are expected to be lost, an arm has four sessions, or there is
    # only one arm.
    assert fairness([make_flow("A", 100, 100), make_flow("B", 100, 92)]).counted_p is None
    assert fairness([make_flow("A", 4, 4), make_flow("B", 4, 4)]) == Fairness(None, None)
    assert fairness([make_flow("A", 400, 4)]) == Fairness(None, None)


def test_a_trial_whose_arms_cannot_be_compared_is_reported(tmp_path, capsys):
    write_trial(tmp_path)
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    assert "cannot be compared" not in capsys.readouterr().out
    assert (
        "As many sessions of every arm: p = 1; the same share of them counts: too few to tell"
        in (tmp_path / "report.html").read_text()
    )
    # Two thirds of one arm are left out, as if its machine had been busy.
    for number in range(120):
        record = {"session_id": f"day-002/C9{number:03}", "arm": "C", "left_out": "busy"}
        (write_part(tmp_path, 100 + number, 2) / "part.json").write_text(json.dumps(record))
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    printed = capsys.readouterr().out
    assert "the arms did not get equal numbers of sessions (p = " in printed
    assert "the arms lost different shares of their sessions, so they cannot be compared (p = " in printed
    assert "<strong>the arms lost different shares" in (tmp_path / "report.html").read_text()


def test_a_report_states_the_transport_of_its_sessions(tmp_path):
    write_trial(tmp_path)
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    assert "A randomised trial in virtual time" in (tmp_path / "report.html").read_text()
    write_manifest(tmp_path, {**SETTINGS, "over": "tcp", "explored_pct": 5})
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "A randomised trial over real TCP" in page
    assert "5% are of a rung that was drawn" in page


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "has no manifest.json; npm run lab -- trial makes one"),
        ({"manifest.json": "{"}, "manifest.json: cannot be read"),
        ({"manifest.json": "{}"}, "manifest.json: is not of a trial"),
        (
            {"manifest.json": json.dumps({"experiment": {**SETTINGS, "arms": None}})},
            "manifest.json: is not of a trial",
        ),
        (
            {"manifest.json": json.dumps({"experiment": SETTINGS, "versions": {"film": "Film"}})},
            "runs: no such folder",
        ),
        (
            {"manifest.json": json.dumps({"experiment": {"name": "traces"}})},
            "manifest.json: is not of a trial",
        ),
    ],
)
def test_another_folder_is_refused_in_one_line(files, reason, tmp_path, capsys):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert main(["trial", str(tmp_path)]) == 1
    complaint = capsys.readouterr().err
    assert reason in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ({"A": "fugu-frozen", "B": "dashjs"}, "key.json: does not say what C stands for"),
        ({**KEY, "C": "bba"}, "key.json: bba is no arm of the trial's settings"),
    ],
)
def test_the_key_of_another_trial_is_refused_in_one_line(key, reason, tmp_path, capsys):
    write_trial(tmp_path, key=key)
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 1
    complaint = capsys.readouterr().err
    assert reason in complaint
    assert complaint.count("\n") == 1


def test_sessions_of_something_else_among_the_days_are_refused_in_one_line(tmp_path, capsys):
    write_trial(tmp_path)
    other = write_part(tmp_path, 2, 1)
    for table in ("client_buffer", "video_sent"):
        rows = pd.read_parquet(tmp_path / "runs" / "part-001" / "1" / f"{table}.parquet")
        rows["session_id"] = "traces@then/" + rows.session_id
        rows.to_parquet(other / f"{table}.parquet")
    assert main(["trial", str(tmp_path), "--iterations", "50"]) == 1
    complaint = capsys.readouterr().err
    assert "session 'traces@then/day-001/B0' is not of a trial" in complaint
    assert complaint.count("\n") == 1


def test_a_single_day_can_be_retrained():
    examples = make_examples(network_sessions(120, 0))
    for latest, days in ((False, 3), (True, 1)):
        _, curves = train(examples, TrainingSettings(epochs=1, latest=latest))
        assert {len(curve.days) for curve in curves} == {days}
