"""Reads a trial's folder: settings, finished days, models, and finally the key."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ..experiment.problem import Problem
from ..puffer.read import read_streams
from ..ttp.model import read_model


@dataclass(frozen=True)
class LeftOut:
    """A session without a stream, because its machine was busy. Its scheme is a code."""

    session_id: str
    scheme: str
    day: int
    reason: str


@dataclass(frozen=True)
class Settings:
    """The settings of the analysis. `first_day` is the first day that is evaluated. The roles (`retrained`, `frozen`,
    `emulated`) are arms or None."""

    first_day: int
    retrained: str | None
    frozen: str | None
    emulated: str | None
    asked: dict[str, Any]


#: Additional settings that the analysis and its report need.
NEEDED = {"seed": int, "days": int, "arms": list, "networks": list, "film": str}


def read_settings(folder: Path) -> Settings:
    """Reads the settings. Raises a Problem if the folder has no trial."""
    file = folder / "manifest.json"
    asked = _trial_settings(_read(file))
    try:
        roles = asked.pop("roles")
        for name, kind in NEEDED.items():
            if not isinstance(asked[name], kind):
                raise ValueError(f"{name} is {asked[name]!r}")
        return Settings(
            int(asked["first_day"]), roles["retrained"], roles["frozen"], roles["emulated"], asked
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Problem(f"{file}: is not of a trial: {error}") from error


def _trial_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """Returns the settings in a manifest. Each run of its cells is a day."""
    asked = manifest.get("experiment")
    if not isinstance(asked, dict) or asked.get("name") != "trial":
        return {}
    return {**asked, "days": asked.get("runs"), "film": manifest.get("versions", {}).get("film")}


def read_key(folder: Path, codes: Iterable[str], arms: Sequence[str]) -> dict[str, str]:
    """Reads the arms by their codes. Raises a Problem if the key has other codes."""
    key = {str(code): str(arm) for code, arm in _read(folder / "key.json").items()}
    unknown = sorted({*codes} - {*key})
    if unknown:
        raise Problem(f"{folder / 'key.json'}: does not say what {', '.join(unknown)} stands for")
    foreign = sorted({*key.values()} - {*arms})
    if foreign:
        raise Problem(f"{folder / 'key.json'}: {', '.join(foreign)} is no arm of the trial's settings")
    return key


def read_manifest(folder: Path) -> dict[str, Any]:
    """Reads the provenance, without the settings and the names of the parts."""
    manifest = _read(folder / "manifest.json")
    return {name: value for name, value in manifest.items() if name not in ("experiment", "plan")}


def read_days(folder: Path) -> pd.DataFrame:
    """Reads the streams played so far. Adds a column `day`. The schemes are codes."""
    tables = folder / "runs"
    streams = read_streams(tables)
    days = streams.session_id.str.extract(r"^day-(\d+)/", expand=False)
    if days.isna().any():
        raise Problem(f"{tables}: session '{streams.session_id[days.isna()].iloc[0]}' is not of a trial")
    streams["day"] = days.astype(int)
    return streams


def read_left_out(folder: Path) -> list[LeftOut]:
    """Reads the sessions of each day that were excluded because the machine was busy. In virtual time there are none."""
    tables = folder / "runs"
    records = [_read(file) for file in sorted(tables.glob("*/*/part.json"))]
    try:
        found = [
            LeftOut(
                record["session_id"], record["arm"], _session_day(record["session_id"]), record["left_out"]
            )
            for record in records
            if "left_out" in record
        ]
    except (KeyError, ValueError) as error:
        raise Problem(f"{tables}: a part.json is not of a trial: {error}") from error
    return sorted(found, key=lambda each: each.session_id)


def _session_day(session_id: str) -> int:
    return int(session_id.split("/")[0].removeprefix("day-"))


def read_models(folder: Path) -> dict[int, dict[str, Any]]:
    """Reads the provenance of the models, by the day after which they were trained."""
    files = {int(file.parent.name): file for file in (folder / "runs" / "model").glob("*/model.bin")}
    try:
        return {day: read_model(file).provenance for day, file in sorted(files.items())}
    except ValueError as error:
        raise Problem(str(error)) from error


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf8"))
    except FileNotFoundError as error:
        raise Problem(f"{file.parent}: has no {file.name}; npm run lab -- trial makes one") from error
    except ValueError as error:
        raise Problem(f"{file}: cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise Problem(f"{file}: is no object")
    return found
