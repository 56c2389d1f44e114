"""A trained predictor: two variants of five networks, and its file.

The file is a line of JSON, filled up with spaces to a multiple of four bytes, and then float32, little-endian: of the variant
`tcp`, then of `plain`, the mean and the standard deviation of its inputs (of ln(1 + input)), and by step and layer the
weights [outputs, inputs] and the biases, rounded to float16's precision. `ttp-model.ts` of the plug-in reads it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from sammy_analysis.ttp.inputs import BINS, EDGES_S, HISTORY, HORIZON, PLAIN_INPUTS, TCP_INPUTS, plain_of
from sammy_analysis.ttp.network import Parameters, probabilities

FORMAT, VERSION = "dashjs-sammy-ttp", 2
VARIANTS = {"tcp": TCP_INPUTS, "plain": PLAIN_INPUTS}
#: What a bin stands for is its median. The last one has none; trained, it is that of the data.
TIMES_S = [0.125, *(EDGES_S[:-1] + 0.25).tolist(), 10.0]
#: The page refuses a model that has a larger number, a deviation nearer to 0, or a wider layer: `ttp-model.ts` says why.
LARGEST = 1e4
LEAST_DEVIATION = 1e-7
WIDEST_LAYER = 256


#: Of float32's 23 bits of a fraction the file has so many of a weight; the rest are 0, and take no room in a package.
WEIGHT_BITS = 10


def rounded_weights(array: np.ndarray) -> np.ndarray:
    """The nearest numbers with so many bits. The plug-in's fugu-plan.test.ts holds that no choice hangs on the others."""
    fraction, exponent = np.frexp(array.astype(float))
    steps = 2.0 ** (WEIGHT_BITS + 1)
    return np.ldexp(np.round(fraction * steps) / steps, exponent).astype("<f4")


@dataclass
class Variant:
    """The networks of one set of inputs, by step, and how their inputs are normalised."""

    mean: np.ndarray
    deviation: np.ndarray
    networks: list[Parameters]

    @property
    def hidden(self) -> list[int]:
        """The widths of the hidden layers."""
        return [len(biases) for biases in self.networks[0][1:-1:2]]

    def normalised(self, inputs: np.ndarray) -> np.ndarray:
        """Sizes, times and rates are spread over decades, hence the logarithm. What is missing is as the mean."""
        return np.nan_to_num((np.log1p(inputs) - self.mean) / self.deviation, nan=0.0)

    def probabilities(self, inputs: np.ndarray, step: int) -> np.ndarray:
        """[rows, bins], of inputs in their own units."""
        return probabilities(self.networks[step], self.normalised(inputs))

    def rounded(self) -> Variant:
        """Returns the variant rounded as in the file."""
        rounded = [[rounded_weights(each).astype(float) for each in network] for network in self.networks]
        mean, deviation = (each.astype("<f4").astype(float) for each in (self.mean, self.deviation))
        return Variant(mean, deviation, rounded)


@dataclass
class Model:
    """The content of the file."""

    tcp: Variant
    plain: Variant
    times_s: list[float]
    provenance: dict[str, Any]

    def probabilities(self, inputs: np.ndarray, step: int) -> np.ndarray:
        """[rows, bins], by the variant that each row's inputs allow: [rows, TCP_INPUTS] in their own units."""
        lacks = np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)
        found = np.empty((len(inputs), BINS))
        found[~lacks] = self.tcp.probabilities(inputs[~lacks], step)
        found[lacks] = self.plain.probabilities(plain_of(inputs[lacks]), step)
        return found


def write_model(model: Model, file: Path) -> int:
    """Writes it, and returns its size in bytes. Raises ValueError for one that the page would refuse."""
    check(model)
    variants = {name: getattr(model, name) for name in VARIANTS}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "variants": {
            name: {
                "inputs": VARIANTS[name],
                "history": HISTORY,
                "horizon": HORIZON,
                "bins": BINS,
                "hidden": variant.hidden,
            }
            for name, variant in variants.items()
        },
        "times_s": model.times_s,
        "provenance": model.provenance,
    }
    numbers = [
        array
        for variant in (each.rounded() for each in variants.values())
        for array in [
            variant.mean,
            variant.deviation,
            *(each for network in variant.networks for each in network),
        ]
    ]
    return write_file(file, file_bytes(header, numbers))


def file_bytes(header: dict[str, Any], numbers: list[np.ndarray]) -> bytes:
    """A line of JSON, filled up to a multiple of four bytes, and float32, little-endian: `model-file.ts` reads it."""
    text = json.dumps(header, ensure_ascii=True).encode()
    text += b" " * (-(len(text) + 1) % 4) + b"\n"
    return text + b"".join(array.astype("<f4").tobytes() for array in numbers)


def write_file(file: Path, content: bytes) -> int:
    """Writes all of it or nothing, and returns its size in bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # The name is unique to this process, because another may be writing the same model.
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def check(model: Model) -> None:
    """Raises ValueError for what no page takes: training has gone astray, or the file is no model."""
    for name in VARIANTS:
        variant = getattr(model, name)
        arrays = [
            variant.mean,
            variant.deviation,
            *(each for network in variant.networks for each in network),
        ]
        if not all((np.abs(each) <= LARGEST).all() for each in arrays):
            raise ValueError(f"'{name}' has numbers that are not finite, or above {LARGEST:g}")
        if not (variant.deviation >= LEAST_DEVIATION).all():
            raise ValueError(f"'{name}' has a standard deviation that is not above 0")
        if len(variant.hidden) != 2 or not all(1 <= width <= WIDEST_LAYER for width in variant.hidden):
            raise ValueError(
                f"'{name}' has hidden layers {variant.hidden}, and not two of at most {WIDEST_LAYER}"
            )
    times = np.asarray(model.times_s, float)
    if times.shape != (BINS,) or not ((times > 0) & (times <= LARGEST)).all():
        raise ValueError(f"its times_s are not {BINS} times")


def read_model(file: Path) -> Model:
    """Reads a model to continue from. Raises a one-line ValueError that names the file for anything else."""
    text, _, data = file.read_bytes().partition(b"\n")
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or (header.get("format"), header.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"{file} is no model of version {VERSION}")
    try:
        return from_numbers(header, np.frombuffer(data, "<f4").astype(float))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is truncated, or a model of another shape: {error}") from error


def from_numbers(header: dict[str, Any], numbers: np.ndarray) -> Model:
    """The model that a file's header describes. Raises an error where the numbers are not those."""
    at = 0

    def take(*shape: int) -> np.ndarray:
        nonlocal at
        at += int(np.prod(shape))
        return numbers[at - int(np.prod(shape)) : at].reshape(shape).copy()

    def variant(name: str) -> Variant:
        widths = [VARIANTS[name], *header["variants"][name]["hidden"], BINS]
        pairs = list(pairwise(widths))
        mean, deviation = take(widths[0]), take(widths[0])
        layers = [
            [array for inputs, outputs in pairs for array in (take(outputs, inputs), take(outputs))]
            for _ in range(HORIZON)
        ]
        return Variant(mean, deviation, layers)

    model = Model(variant("tcp"), variant("plain"), header["times_s"], header["provenance"])
    if at != len(numbers):
        raise ValueError(f"it has {len(numbers)} numbers, and not {at}")
    check(model)
    return model
