"""The benchmark of the analysis of Puffer's data."""

from sammy_analysis.experiment.simulations.bench import Step
from sammy_analysis.puffer import bench, command
from sammy_analysis.puffer.read import read_streams
from sammy_analysis.puffer.rules import PUFFER
from sammy_analysis.puffer.streams import SHORT


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
    # A billion rows are 50 x 20 million: 50 x 20 s = 17 minutes, and 50 x 30 s = 25 minutes.
    assert lines[1].endswith("20.0 CPU s, 40.0 s, at most 1,300 MB; a billion rows, day by day: 17 CPU min")
    assert lines[2].endswith("a billion rows, day by day: 25 CPU min")
    assert lines[3] == "Puffer's day has 14.2 million such rows in the mean, a billion are 70 days"
