"""A fully connected network in numpy: its output, its loss with the gradient, and Adam.

A framework would only add the derivative of three matrix products, and PyTorch's wheel for Linux is half a gigabyte, more than
everything else that analysis/ installs. A test checks the derivative by finite differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

Parameters = list[np.ndarray]

#: Adam's constants (Kingma and Ba, 2015, Algorithm 1).
FIRST_DECAY, SECOND_DECAY, EPSILON = 0.9, 0.999, 1e-8


def initial(widths: list[int], random: np.random.Generator) -> Parameters:
    """Returns weights [outputs, inputs] and biases [outputs] of each layer, drawn as in He et al. (2015) for ReLU."""
    parameters: Parameters = []
    for inputs, outputs in pairwise(widths):
        parameters += [random.normal(0, np.sqrt(2 / inputs), (outputs, inputs)), np.zeros(outputs)]
    return parameters


def logits(parameters: Parameters, inputs: np.ndarray) -> list[np.ndarray]:
    """Returns the values of each layer [rows, width], from the inputs to the logits."""
    layers = [inputs]
    for index in range(0, len(parameters), 2):
        values = layers[-1] @ parameters[index].T + parameters[index + 1]
        layers.append(values if index + 2 == len(parameters) else np.maximum(values, 0))
    return layers


def probabilities(parameters: Parameters, inputs: np.ndarray) -> np.ndarray:
    """Returns the probabilities: [rows, bins]."""
    return softmax(logits(parameters, inputs)[-1])


def softmax(values: np.ndarray) -> np.ndarray:
    """Computes the softmax along the last axis."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def allowed_bins(observed: np.ndarray, limited: np.ndarray, given_up: np.ndarray, bins: int) -> np.ndarray:
    """Returns the bins that an observation allows: [rows, bins].

    For a chunk limited by its pace, the observed time is an upper bound of the network's own time. For an abandoned
    chunk, it is a lower bound.
    """
    each, seen = np.arange(bins), observed[:, None]
    sooner, later = limited[:, None] & (each < seen), given_up[:, None] & (each > seen)
    return (each == seen) | sooner | later


def losses(values: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Returns -ln of the probability of the allowed bins, by row."""

    def log_sum(chosen: np.ndarray) -> np.ndarray:
        most = chosen.max(axis=1)
        return most + np.log(np.exp(chosen - most[:, None]).sum(axis=1))

    return log_sum(values) - log_sum(np.where(allowed, values, -np.inf))


def loss_and_gradient(
    parameters: Parameters, inputs: np.ndarray, allowed: np.ndarray, weights: np.ndarray
) -> tuple[float, Parameters]:
    """Returns the weighted mean of the losses, and its derivative by each parameter."""
    layers = logits(parameters, inputs)
    share = weights / weights.sum()
    loss = float(share @ losses(layers[-1], allowed))
    # The gradient of -ln Σ_allowed p by the logits is p minus p restricted to the allowed bins. With a single allowed
    # bin, this is the gradient of cross-entropy.
    wanted = softmax(np.where(allowed, layers[-1], -np.inf))
    slope = (softmax(layers[-1]) - wanted) * share[:, None]
    return loss, backward(parameters, layers, slope)


def backward(parameters: Parameters, layers: list[np.ndarray], slope: np.ndarray) -> Parameters:
    """Backpropagates `slope`, the derivative by the last layer's values [rows, width], to each parameter."""
    gradient: Parameters = []
    for index in range(len(parameters) - 2, -1, -2):
        inward = layers[index // 2]
        gradient = [slope.T @ inward, slope.sum(axis=0), *gradient]
        if index > 0:
            slope = (slope @ parameters[index]) * (inward > 0)
    return gradient


@dataclass
class Adam:
    """The Adam optimizer, which changes parameters in place."""

    parameters: Parameters
    rate: float

    def __post_init__(self) -> None:
        self.first = [np.zeros_like(each) for each in self.parameters]
        self.second = [np.zeros_like(each) for each in self.parameters]
        self.steps = 0

    def step(self, gradient: Parameters) -> None:
        """Moves one step down the gradient."""
        self.steps += 1
        # Use a Python float, because a NumPy float64 would promote the float32 arrays.
        rate = self.rate * math.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        for value, slope, first, second in zip(
            self.parameters, gradient, self.first, self.second, strict=True
        ):
            first += (1 - FIRST_DECAY) * (slope - first)
            second += (1 - SECOND_DECAY) * (slope**2 - second)
            value -= rate * first / (np.sqrt(second) + EPSILON)
