"""`experiment puffer FOLDER`: a trial's figures from what `npm run lab -- export` wrote."""

import argparse
from pathlib import Path

from .read import read_streams
from .report import decibel, half_width, percent, report
from .trial import Scheme, flow, growth, schemes
from .uncertainty import ITERATIONS


def add(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run)
    command.add_argument("folder", type=Path)
    command.add_argument("--out", type=Path, default=Path("puffer.html"))
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--iterations", type=positive, default=ITERATIONS)


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def run(options: argparse.Namespace) -> None:
    streams = read_streams(options.folder)
    seeded = {"seed": options.seed, "iterations": options.iterations}
    found, flows = schemes(streams, **seeded), flow(streams)
    slow = schemes(streams[streams.slow], **seeded)
    parts = growth(streams, **seeded)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(report(streams, flows, found, slow, parts), encoding="utf8")
    print(f"{streams.session_id.nunique():,} sessions, {len(streams):,} streams")
    for each in flows:
        left_out = sum(each.excluded.values())
        print(f"{each.name}: {each.considered:,} streams considered, {left_out:,} left out")
    for name, group in (("all paths", found), ("slow paths", slow)):
        print(f"\n{name}")
        for scheme in group:
            print(f"  {_line(scheme)}")
    print(f"\nThe report with all pictures: {options.out}")


def _line(scheme: Scheme) -> str:
    stalled = f"stalled {percent(scheme.stall_ratio)}, {half_width(scheme.stall_ratio)}"
    return f"{scheme.name:20} {scheme.hours:8.1f} h   {stalled}   SSIM {decibel(scheme.ssim_db)}"
