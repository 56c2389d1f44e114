"""A trained predictor: a network with TCP's statistics, one without, and the file format.

The file is a line of JSON, padded with spaces to a multiple of four bytes, then float32, little-endian, then int8. The float32
values are, for the variant `tcp` and then `plain`: the mean and the standard deviation of its inputs (of ln(1 + input)), and
for each layer the scale of each output's weights and the biases. The int8 values are, in the same order, each layer's weights
[outputs, inputs]; a weight is its int8 times its output's scale. `ttp-model.ts` of the plug-in reads this file.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from sammy_analysis.ttp.inputs import BINS, EDGES_S, HISTORY, HORIZON, PLAIN_INPUTS, TCP_INPUTS, without_tcp
from sammy_analysis.ttp.network import Parameters, probabilities

FORMAT, VERSION = "dashjs-sammy-ttp", 3
VARIANTS = {"tcp": TCP_INPUTS, "plain": PLAIN_INPUTS}
#: The time of each bin, s: its midpoint. The last bin is open; training replaces its time by the median of the data.
TIMES_S = [0.125, *(EDGES_S[:-1] + 0.25).tolist(), 10.0]
#: The largest number in a valid model. `ttp-model.ts` has the same limits, and their reasons.
LARGEST = 1e4
#: The smallest deviation in a valid model.
LEAST_DEVIATION = 1e-7
#: The widest layer of a valid model.
WIDEST_LAYER = 256


#: The largest absolute int8 value of a weight. -128 is not used, so that the range is symmetric.
MOST_INT8 = 127
#: Number of bits of a scale's fraction: few enough that its product with an int8 is exact in float32, and that
#: quantizing twice changes nothing.
SCALE_BITS = 16


def quantized(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the scale of each output [outputs] in float32, and int8 values [outputs, inputs]. With the scale, the
    int8 values are as close as possible to the weights."""
    largest = np.abs(weights.astype(float)).max(axis=1)
    scale = rounded(np.where(largest > 0, largest, 1) / MOST_INT8, SCALE_BITS)
    whole = np.round(weights / scale[:, None]).clip(-MOST_INT8, MOST_INT8)
    return scale.astype("<f4"), whole.astype(np.int8)


def rounded(values: np.ndarray, bits: int) -> np.ndarray:
    """Rounds to a significand with `bits` bits after the leading bit."""
    fraction, exponent = np.frexp(values.astype(float))
    steps = 2.0 ** (bits + 1)
    return np.ldexp(np.round(fraction * steps) / steps, exponent)


@dataclass
class Variant:
    """The network for one set of inputs, and the normalization of these inputs. After the inputs follows the step as a
    one-hot vector of HORIZON numbers."""

    mean: np.ndarray
    deviation: np.ndarray
    network: Parameters

    @property
    def hidden(self) -> list[int]:
        """The widths of the hidden layers."""
        return [len(biases) for biases in self.network[1:-1:2]]

    def normalize(self, inputs: np.ndarray, step: int) -> np.ndarray:
        """Returns [rows, inputs + HORIZON]: the normalized inputs, and a 1 in the column of the step. Uses logarithms, because
        sizes, times and rates span decades. A missing input becomes the mean."""
        normalised = np.nan_to_num((np.log1p(inputs) - self.mean) / self.deviation, nan=0.0)
        return np.hstack([normalised, np.tile(np.eye(HORIZON)[step], (len(inputs), 1))])

    def probabilities(self, inputs: np.ndarray, step: int) -> np.ndarray:
        """Returns the probabilities [rows, bins] for inputs in their own units."""
        return probabilities(self.network, self.normalize(inputs, step))

    def as_in_file(self) -> Variant:
        """Returns the variant with the precision of the file."""
        layers = []
        for weights, biases in layer_pairs(self.network):
            scale, whole = quantized(weights)
            layers += [scale[:, None].astype(float) * whole, biases.astype("<f4").astype(float)]
        mean, deviation = (each.astype("<f4").astype(float) for each in (self.mean, self.deviation))
        return Variant(mean, deviation, layers)


def layer_pairs(network: Parameters) -> list[tuple[np.ndarray, np.ndarray]]:
    """Returns the weights and biases of each layer."""
    return list(zip(network[::2], network[1::2], strict=True))


@dataclass
class Model:
    """The content of a model file."""

    tcp: Variant
    plain: Variant
    times_s: list[float]
    provenance: dict[str, Any]

    def probabilities(self, inputs: np.ndarray, step: int) -> np.ndarray:
        """Returns the probabilities [rows, bins] for inputs in their own units, [rows, TCP_INPUTS]. Each row uses the
        variant that matches its known inputs."""
        lacks = np.isnan(inputs[:, PLAIN_INPUTS - 1 : TCP_INPUTS - 1]).any(axis=1)
        found = np.empty((len(inputs), BINS))
        found[~lacks] = self.tcp.probabilities(inputs[~lacks], step)
        found[lacks] = self.plain.probabilities(without_tcp(inputs[lacks]), step)
        return found


def write_model(model: Model, file: Path) -> int:
    """Writes the model, and returns its size in bytes. Raises ValueError for a model that the page would reject."""
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
    floats: list[np.ndarray] = []
    whole: list[np.ndarray] = []
    for variant in variants.values():
        floats += [variant.mean, variant.deviation]
        for weights, biases in layer_pairs(variant.network):
            scale, integers = quantized(weights)
            floats += [scale, biases]
            whole.append(integers)
    return write_file(file, file_bytes(header, floats) + b"".join(each.tobytes() for each in whole))


def file_bytes(header: dict[str, Any], numbers: list[np.ndarray]) -> bytes:
    """Returns the bytes of a file: a line of JSON, padded to a multiple of four bytes, and little-endian float32, as
    `model-file.ts` expects."""
    text = json.dumps(header, ensure_ascii=True).encode()
    text += b" " * (-(len(text) + 1) % 4) + b"\n"
    return text + b"".join(array.astype("<f4").tobytes() for array in numbers)


def write_file(file: Path, content: bytes) -> int:
    """Writes the file atomically, and returns its size in bytes."""
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
    """Raises ValueError for a model that the page would reject, because training diverged or the file is not a model."""
    for name in VARIANTS:
        variant = getattr(model, name)
        arrays = [variant.mean, variant.deviation, *variant.network]
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
    """Reads a model from which training continues. Raises a one-line ValueError that names the file if it is invalid."""
    text, _, data = file.read_bytes().partition(b"\n")
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or (header.get("format"), header.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"{file} is no model of version {VERSION}")
    try:
        return from_numbers(header, data)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{file} is truncated, or a model of another shape: {error}") from error


def from_numbers(header: dict[str, Any], data: bytes) -> Model:
    """Reads the model that a header describes. Raises an error if the numbers do not fit the header."""
    layers = {
        name: list(pairwise([inputs + HORIZON, *header["variants"][name]["hidden"], BINS]))
        for name, inputs in VARIANTS.items()
    }
    # The float32 values are the mean and the deviation of each input, and the scale and the bias of each output.
    floats = sum(
        2 * VARIANTS[name] + sum(2 * outputs for _, outputs in each) for name, each in layers.items()
    )
    integers = sum(inputs * outputs for each in layers.values() for inputs, outputs in each)
    if len(data) != 4 * floats + integers:
        raise ValueError(f"it has {len(data)} bytes of numbers, and not {4 * floats + integers}")
    take_floats = taker(np.frombuffer(data[: 4 * floats], "<f4").astype(float))
    take_integers = taker(np.frombuffer(data[4 * floats :], np.int8))
    made = {}
    for name, widths in layers.items():
        mean, deviation = take_floats(VARIANTS[name]), take_floats(VARIANTS[name])
        network: Parameters = []
        for inputs, outputs in widths:
            scale, biases = take_floats(outputs), take_floats(outputs)
            network += [scale[:, None] * take_integers(outputs, inputs), biases]
        made[name] = Variant(mean, deviation, network)
    model = Model(made["tcp"], made["plain"], header["times_s"], header["provenance"])
    check(model)
    return model


def taker(numbers: np.ndarray) -> Callable[..., np.ndarray]:
    """Returns a function that takes the next numbers from the array, in a given shape."""
    at = 0

    def take(*shape: int) -> np.ndarray:
        nonlocal at
        at += math.prod(shape)
        return numbers[at - math.prod(shape) : at].reshape(shape).copy()

    return take
