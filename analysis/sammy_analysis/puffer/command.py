"""`experiment puffer FOLDER`: a trial's results, from `npm run lab -- report --puffer` or from Puffer's own files."""

import argparse
from pathlib import Path

from .as_csv import write_days
from .bench import bench
from .read import is_puffers, read_trial
from .report import decibel, half_width, percent, report
from .rules import LAB, PUFFER, RULES, Rules
from .trial import Scheme, flow, growth, schemes
from .uncertainty import ITERATIONS


def add(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run)
    command.add_argument("folder", type=Path)
    command.add_argument("--out", type=Path, default=Path("puffer.html"))
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--iterations", type=positive, default=ITERATIONS)
    command.add_argument("--rules", choices=(*RULES,), default="")
    command.add_argument("--csv", type=Path)


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def run(options: argparse.Namespace) -> None:
    if options.csv:
        print("\n".join(write_days(options.folder, options.csv)))
        return
    rules = RULES[options.rules] if options.rules else usual_rules(options.folder)
    trial = read_trial(options.folder, rules)
    streams = trial.streams
    seeded = {"seed": options.seed, "iterations": options.iterations, "rules": rules}
    found, flows = schemes(streams, **seeded), flow(streams)
    slow = schemes(streams[streams.slow], **seeded)
    parts = growth(streams, **seeded, whole=found)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    page = report(streams, flows, found, slow, parts, rules, trial.notes)
    options.out.write_text(page, encoding="utf8")
    print(f"{streams.session_id.nunique():,} sessions, {len(streams):,} streams, by the {said(rules)}")
    for note in trial.notes:
        print(note)
    for each in flows:
        left_out = sum(each.excluded.values())
        print(f"{each.name}: {each.considered:,} streams considered, {left_out:,} left out")
    for name, group in (("all paths", found), ("slow paths", slow)):
        print(f"\n{name}")
        for scheme in group:
            print(f"  {_line(scheme)}")
    print(f"\nThe report with all pictures: {options.out}")


def usual_rules(folder: Path) -> Rules:
    """Returns Puffer's rules for Puffer's files, and the lab's rules for the lab's."""
    return PUFFER if is_puffers(folder) else LAB


def said(rules: Rules) -> str:
    if rules is PUFFER:
        return "rules of Puffer's published analysis (--rules lab for the lab's)"
    return "lab's rules (--rules puffer for those of Puffer's published analysis)"


def _line(scheme: Scheme) -> str:
    stalled = f"stalled {percent(scheme.stall_ratio)}, {half_width(scheme.stall_ratio)}"
    return f"{scheme.name:20} {scheme.hours:8.1f} h   {stalled}   SSIM {decibel(scheme.ssim_db)}"


#: The mean number of rows per day in Puffer's first year, in client_buffer and video_sent (F. Yan, thesis, Appendix B).
ROWS_A_DAY = (4_622_575_336 + 675_839_652) / 372


def bench_lines(rows: int) -> list[str]:
    found = bench(rows)
    lines = [f"{found.rows:,} rows in Puffer's format, {found.file_mb:,.0f} MB of CSV"]
    for what, step in (("their streams alone", found.read), ("puffer, with its report", found.command)):
        if step.cpu_s is None or step.peak_mb is None:
            lines.append(f"{what}: {step.seconds:.1f} s")
            continue
        share = 1e9 / found.rows
        lines.append(
            f"{what}: {step.cpu_s:.1f} CPU s, {step.seconds:.1f} s, at most {step.peak_mb:,.0f} MB; "
            f"a billion rows, day by day: {step.cpu_s * share / 60:.0f} CPU min"
        )
    lines.append(
        f"Puffer's day has {ROWS_A_DAY / 1e6:.1f} million such rows in the mean, a billion are {1e9 / ROWS_A_DAY:.0f} days"
    )
    return lines
