"""The program `python -m sammy_analysis.ttp`: trains a model on a folder of sessions."""

from __future__ import annotations

import argparse
import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sammy_analysis.suggestions import suggestion
from sammy_analysis.ttp.ablation.command import ablate
from sammy_analysis.ttp.check import write_check
from sammy_analysis.ttp.chunks import read_chunks
from sammy_analysis.ttp.command_line import Parser, progress_since
from sammy_analysis.ttp.curves_figure import draw_curves
from sammy_analysis.ttp.evaluate import Evaluation, evaluate, held_out_losses
from sammy_analysis.ttp.inputs import make_examples
from sammy_analysis.ttp.model import read_model, write_model
from sammy_analysis.ttp.train import HeldOut, TrainingSettings, split, train

#: The kind of unit to hold out, by the value of `--held-out`.
UNITS: dict[str, HeldOut] = {"sessions": "session", "networks": "network"}
HELP = Path(__file__).with_name("help.txt").read_text("utf8")


def main(argv: list[str] | None = None) -> int:
    """Runs the program and returns the exit status. On failure, it prints one line and returns 1."""
    words = sys.argv[1:] if argv is None else argv
    try:
        if not words or words[0] == "help" or {"--help", "-h"} & set(words):
            print(HELP.strip())
        elif words[0] == "ttp":
            learn(parse(words[1:]))
        elif words[0] == "ablations":
            ablate(words[1:])
        else:
            meant = suggestion(words[0], ("ttp", "ablations"))
            raise ValueError(f"unknown command {words[0]!r}; expected ttp or ablations{meant}")
        return 0
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (ValueError, OSError) as error:
        print(f"dashjs-sammy learn: {error}", file=sys.stderr)
        return 1


def parse(argv: list[str]) -> argparse.Namespace:
    parser = Parser(add_help=False)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="warm", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--held-out", choices=("sessions", "networks"), default="sessions")
    parser.add_argument("--uncensored", action="store_true")
    parser.add_argument("--latest", action="store_true")
    parser.add_argument("--check", type=Path)
    options = parser.parse_args(argv)
    if options.epochs < 1 or options.seed < 0:
        raise ValueError("--epochs must be at least 1 and --seed at least 0")
    if options.out.suffix == ".png":
        raise ValueError(f"--out: {options.out} would be the picture's name; the model needs another ending")
    if not options.data.is_dir():
        raise ValueError(f"--data: there is no folder {options.data}")
    # Check the paths before training, which takes minutes.
    for name, file in (("--out", options.out), ("--check", options.check)):
        if file is not None and file.is_dir():
            raise ValueError(f"{name}: {file} is a folder; expected a file")
    return options


def learn(options: argparse.Namespace) -> None:
    """Trains and evaluates, writes the model and its figure, and prints the result."""
    chunks = read_chunks(options.data)
    examples = make_examples(chunks)
    asked = TrainingSettings(
        seed=options.seed,
        epochs=options.epochs,
        held_out=UNITS[options.held_out],
        censored=not options.uncensored,
        latest=options.latest,
        warm=read_model(options.warm) if options.warm else None,
        progress=progress_since(time.monotonic()),
    )
    model, curves = train(examples, asked)
    parts = split(examples, asked)
    evaluation = evaluate(model, parts, asked)
    held_out = held_out_losses(model, parts.judging, asked)
    model.provenance = describe_provenance(options, chunks, evaluation, held_out)
    size = write_model(model, options.out)
    picture = options.out.with_suffix(".png")
    draw_curves(curves, picture)
    if options.check:
        write_check(model, parts.judging, options.check, asked.seed)
    if evaluation:
        low, high = evaluation.interval_s
        print(
            f"error of the expected time, {evaluation.chunks} chunks of held-out {options.held_out}: "
            f"{evaluation.model_s:.3f} s, by the harmonic mean {evaluation.harmonic_mean_s:.3f} s; "
            f"difference {evaluation.difference_s:+.3f} ({low:+.3f} to {high:+.3f})"
        )
        if evaluation.familiar:
            print(
                f"of them {evaluation.familiar} are of networks that other sessions taught it: with --held-out networks none is"
            )
    else:
        print("its error is not known: nothing that was held out tells how long the network takes")
    for name, loss in held_out.items():
        print(f"loss (-ln p) of {name}, held-out {options.held_out}: {loss:.4f}")
    print(f"{options.out} ({size / 1000:.0f} kB), {picture}")


def describe_provenance(
    options: argparse.Namespace, chunks: pd.DataFrame, evaluation: Evaluation | None, losses: dict[str, float]
) -> dict[str, Any]:
    """Returns the provenance of the model: a digest of the data, the commit, the options, and the errors."""
    told = chunks.drop(columns="network")
    digest = hashlib.sha256(pd.util.hash_pandas_object(told, index=False).to_numpy().tobytes()).hexdigest()
    return {
        "chunks": len(chunks),
        "sessions": int(chunks["stream"].nunique()),
        "pace_limited": round(float(chunks["pace_limited"].mean()), 4),
        "given_up": round(float(chunks["given_up"].mean()), 4),
        "data_sha256": digest,
        "commit": commit(),
        "seed": options.seed,
        "epochs": options.epochs,
        "held_out": options.held_out,
        "censored": not options.uncensored,
        "latest": options.latest,
        "warm": model_digest(options.warm),
        "numpy": np.__version__,
        "held_out_loss": {name: round(loss, 4) for name, loss in losses.items()},
        "held_out_error_s": evaluation and round(evaluation.model_s, 4),
        "harmonic_mean_error_s": evaluation and round(evaluation.harmonic_mean_s, 4),
    }


def model_digest(file: Path | None) -> str | None:
    """Returns the SHA-256 digest of the initial model."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file else None


def commit() -> str | None:
    """Returns the commit of this program, if it is in a repository."""
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return found.stdout.strip() or None
