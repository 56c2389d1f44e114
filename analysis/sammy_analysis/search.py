"""Optuna as a program: it proposes points of a search space for the caller's evaluation.

`python -m sammy_analysis.search` reads one JSON object per line, and answers each with one line of JSON. It
is independent of what the caller optimizes. The first line opens a study in an SQLite file, or resumes it:

    {"open": {"storage": PATH, "study": NAME, "seed": N, "directions": ["minimize", ...],
              "space": [{"name", "choices"} or {"name", "low", "high", "log", "when": {NAME: CHOICE}}],
              "enqueue": [{NAME: VALUE}, ...]}}          -> {"opened": {"finished": N}}
    {"ask": true}                                        -> {"trial": N, "params": {NAME: VALUE}}
    {"tell": {"trial": N, "values": [...], "attributes": {...}}}  -> {"told": N}
    {"trials": true}                                     -> {"trials": [{"trial", "params", "values", "attributes"}]}

The answer to an invalid line is {"error": TEXT}. The program ends at the end of its input.
"""

from __future__ import annotations

import json
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import optuna
from optuna.trial import FrozenTrial, Trial, TrialState


def suggest(trial: Trial, space: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns a value for each parameter. A parameter with `when` is used only if earlier parameters have these values."""
    params: dict[str, Any] = {}
    for entry in space:
        name = entry["name"]
        if any(params.get(other) != value for other, value in entry.get("when", {}).items()):
            continue
        if "choices" in entry:
            params[name] = trial.suggest_categorical(name, entry["choices"])
        else:
            params[name] = trial.suggest_float(name, entry["low"], entry["high"], log=entry.get("log", False))
    return params


class Search:
    """A study, and its trials that have no results yet."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.space = asked["space"]
        self.pending: dict[int, Trial] = {}
        storage = f"sqlite:///{Path(asked['storage']).resolve()}"
        names = optuna.study.get_all_study_names(storage) if Path(asked["storage"]).exists() else []
        is_new = asked["study"] not in names
        self.study = optuna.create_study(
            storage=storage, study_name=asked["study"], directions=asked["directions"], load_if_exists=True
        )
        # Mark trials that an earlier process left without results as failed, because they will never get results.
        for trial in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self.study.tell(trial.number, state=TrialState.FAIL)
        self.study.sampler = optuna.samplers.TPESampler(
            multivariate=True, group=True, seed=asked["seed"] + len(self.study.trials)
        )
        if is_new:
            for params in asked["enqueue"]:
                self.study.enqueue_trial(params)

    @property
    def finished(self) -> list[FrozenTrial]:
        """Returns the trials with values, in order."""
        return self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))

    def ask(self) -> dict[str, Any]:
        """Proposes the next point."""
        trial = self.study.ask()
        self.pending[trial.number] = trial
        return {"trial": trial.number, "params": suggest(trial, self.space)}

    def tell(self, told: dict[str, Any]) -> dict[str, Any]:
        """Records the values of a point."""
        trial = self.pending.pop(told["trial"])
        for name, value in told.get("attributes", {}).items():
            trial.set_user_attr(name, value)
        self.study.tell(trial, told["values"])
        return {"told": trial.number}

    def trials(self) -> dict[str, Any]:
        """Lists all finished trials."""
        return {
            "trials": [
                {
                    "trial": trial.number,
                    "params": trial.params,
                    "values": trial.values,
                    "attributes": trial.user_attrs,
                }
                for trial in self.finished
            ]
        }


def answer(search: Search | None, asked: dict[str, Any]) -> tuple[Search | None, dict[str, Any]]:
    """Answers one line, and returns the current study."""
    if "open" in asked:
        search = Search(asked["open"])
        return search, {"opened": {"finished": len(search.finished)}}
    if search is None:
        raise ValueError("no study is open")
    if "ask" in asked:
        return search, search.ask()
    if "tell" in asked:
        return search, search.tell(asked["tell"])
    if "trials" in asked:
        return search, search.trials()
    raise ValueError(f"unknown request {', '.join(asked)}")


def main() -> int:
    """Answers line by line until the input ends."""
    # Ignore Ctrl-C: a terminal sends it to all its programs, but the caller decides when this program ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    # Suppress the warning that `group`, which models the parameters of each branch jointly, is experimental: Optuna's
    # version is pinned.
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    search: Search | None = None
    for line in sys.stdin:
        try:
            search, said = answer(search, json.loads(line))
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
