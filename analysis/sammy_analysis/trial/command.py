"""`experiment trial FOLDER`: the results of a trial of `npm run lab -- trial`, first without the names of the arms."""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..experiment.problem import Problem
from ..puffer.command import positive
from ..puffer.report import decibel, percent, seconds
from ..puffer.trial import Scheme
from ..puffer.uncertainty import ITERATIONS
from .compare import Comparison
from .findings import blind, compare_models, plain, unblinded
from .read import read_days, read_key, read_left_out, read_manifest, read_models, read_settings
from .report import report, verdict


def add(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run)
    command.add_argument("folder", type=Path)
    command.add_argument("--iterations", type=positive, default=ITERATIONS)


def run(options: argparse.Namespace) -> None:
    folder = options.folder
    settings = read_settings(folder)
    streams = read_days(folder)
    counted = streams[streams.day >= settings.first_day]
    if not (counted.excluded == "").any():
        raise Problem(f"{folder}: no stream of day {settings.first_day} or later counts")
    seed = int(settings.asked["seed"])
    left_out = read_left_out(folder)
    of_counted = [each for each in left_out if each.day >= settings.first_day]
    coded = blind(counted, seed, options.iterations, of_counted)
    write(folder / "blinded.json", coded)

    codes = [*streams.scheme, *(each.scheme for each in left_out)]
    key = read_key(folder, codes, settings.asked["arms"])
    manifest, models = read_manifest(folder), read_models(folder)
    primary = unblinded(coded, key, settings.asked["arms"])
    about_learning = compare_models(
        counted.assign(scheme=counted.scheme.map(key)), settings, seed, options.iterations
    )
    run_in = int((streams.day < settings.first_day).sum())
    write(
        folder / "trial.json",
        {
            **manifest,
            "settings": settings.asked,
            "key": key,
            "run_in_sessions": run_in,
            "left_out": [replace(each, scheme=key[each.scheme]) for each in left_out],
            "primary": primary,
            "learnt": about_learning,
            "models": models,
        },
    )
    page = report(primary, about_learning, models, settings, manifest)
    (folder / "report.html").write_text(page, encoding="utf8")
    for name, group in (("all paths", primary.found), ("slow paths", primary.slow)):
        print(f"\n{name}")
        for scheme in group:
            print(f"  {_line(scheme)}")
    for alarm in primary.fair.alarms:
        print(f"\n{alarm}")
    if of_counted:
        sessions = sum(each.sessions for each in primary.flows)
        print(f"\n{len(of_counted):,} of {sessions:,} sessions were left out: the machine was busy")
    print()
    for found in (about_learning.stale, about_learning.in_situ):
        if found:
            print(f"{found.one} beside {found.other}: {_beside(found)}")
    print(f"\nThe report with all pictures: {folder / 'report.html'}")


def write(file: Path, found: Any) -> None:
    file.write_text(json.dumps(plain(found), indent=2, allow_nan=False) + "\n", encoding="utf8")


def _line(scheme: Scheme) -> str:
    return (
        f"{scheme.name:24} {scheme.streams:6,} streams  stalled {percent(scheme.stall_ratio)}  SSIM {decibel(scheme.ssim_db)}"
        f"  start-up {seconds(scheme.startup_s)}"
    )


def _beside(found: Comparison) -> str:
    return f"{verdict(found)}; stalled {percent(found.stall_ratio)}, SSIM {decibel(found.ssim_db)}"
