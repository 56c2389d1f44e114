"""Actor and critic, trained by proximal policy optimization (PPO: Schulman et al., 2017).

Pensieve's own A3C needs many asynchronous agents; its authors use PPO in their later code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sammy_analysis.ttp.network import Adam, Parameters, backward, initial, logits, softmax

#: The discount (Pensieve, §5.1: 0.99), and λ of the generalized advantage estimate (Schulman et al., 2016).
DISCOUNT, TRACE = 0.99, 0.95
#: Limits for the change of the policy in a round: the clip of the ratio, the passes over the steps, and the batch size.
#: The clip is the best one in Table 1 of Schulman et al., 2017.
CLIP, PASSES, BATCH = 0.2, 4, 1024
#: The learning rates of the first and the last round. In between, the rate changes linearly.
RATES = (1e-3, 1e-4)
#: The weights of the entropy of the first and the last round. In between, the weight changes by the same factor in each
#: round.
ENTROPIES = (0.03, 0.001)
#: The widths of the hidden layers. The actor's widths must match those in the page.
HIDDEN = [32, 16]
#: Errors are clipped at this many standard deviations, because an outage costs a hundred times the value of a segment.
MOST_ERROR = 3.0
#: The tolerated difference between the page's double-precision and this program's single-precision ln of a
#: probability.
TOLERANCE = 1e-2


@dataclass
class Shape:
    """The number of inputs shared by all rungs, the number per rung, and the number of rungs."""

    shared: int
    per_rung: int
    rungs: int

    @property
    def inputs(self) -> int:
        """The number of inputs of a step."""
        return self.shared + self.rungs * self.per_rung


@dataclass
class Episode:
    """The steps of a session: inputs [steps, shape.inputs], and for each step the action, ln of its probability, and the
    reward."""

    inputs: np.ndarray
    actions: np.ndarray
    log_probabilities: np.ndarray
    rewards: np.ndarray


class Learner:
    """Learns round by round. `seed` determines all random numbers."""

    def __init__(self, shape: Shape, rounds: int, seed: int) -> None:
        self.shape, self.rounds, self.round = shape, rounds, 0
        self.random = np.random.default_rng(seed)
        self.actor = single(initial([shape.shared + shape.per_rung, *HIDDEN, 1], self.random))
        # The initial probabilities are nearly equal.
        self.actor[-2] *= 0.01
        self.critic = single(initial([shape.inputs, *HIDDEN, 1], self.random))
        self.adams = [Adam(self.actor, RATES[0]), Adam(self.critic, RATES[0])]
        self.scale = 0.0

    def learn(self, episodes: list[Episode]) -> dict[str, float]:
        """Learns from one round. Raises ValueError if the probabilities from the page differ from this policy's, or if
        a reward is not finite."""
        episodes = [each for each in episodes if len(each.actions) > 1]
        if not episodes:
            raise ValueError("no session has two segments: the traces carry nothing")
        self.rescale(episodes)
        inputs, actions, told, rewards = (
            np.concatenate([getattr(each, name)[:-1] for each in episodes])
            for name in ("inputs", "actions", "log_probabilities", "rewards")
        )
        if not np.isfinite(rewards).all():
            raise ValueError("a reward is no number: the film has no SSIM of some segments")
        before = log_probabilities(self.actor, self.shape, inputs)[np.arange(len(actions)), actions]
        if np.abs(before - told).max() > TOLERANCE:
            raise ValueError(
                f"the player's probabilities are not the learner's: {np.abs(before - told).max():.3f} apart"
            )
        advantages, targets = self.advantages(episodes)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages = np.clip(advantages, -MOST_ERROR, MOST_ERROR)
        entropies = self.passes(inputs, actions, before, advantages, targets)
        self.round += 1
        return {"reward": float(rewards.mean()), "entropy": entropies, "steps": len(actions)}

    def passes(self, inputs, actions, before, advantages, targets) -> float:
        """Runs Adam over the steps of the round in batches, and returns the mean entropy."""
        done = self.round / self.rounds
        for adam in self.adams:
            adam.rate = RATES[0] + (RATES[1] - RATES[0]) * done
        weight = ENTROPIES[0] * (ENTROPIES[1] / ENTROPIES[0]) ** done
        entropies = []
        for _ in range(PASSES):
            order = self.random.permutation(len(actions))
            for at in range(0, len(order), BATCH):
                rows = order[at : at + BATCH]
                gradient, entropy = actor_gradient(
                    self.actor,
                    self.shape,
                    inputs[rows],
                    actions[rows],
                    before[rows],
                    advantages[rows],
                    weight,
                )
                self.adams[0].step(gradient)
                layers = logits(self.critic, inputs[rows])
                error = np.clip(layers[-1][:, 0] - targets[rows], -MOST_ERROR, MOST_ERROR)
                self.adams[1].step(backward(self.critic, layers, error[:, None] / np.float32(len(rows))))
                entropies.append(entropy)
        return float(np.mean(entropies))

    def rescale(self, episodes: list[Episode]) -> None:
        """Updates the scale that brings returns to about 1: a running mean of their standard deviations."""
        returns = np.concatenate([discounted(each.rewards[:-1]) for each in episodes])
        self.scale = (0.9 * self.scale + 0.1 * returns.std()) if self.scale else float(returns.std())

    def advantages(self, episodes: list[Episode]) -> tuple[np.ndarray, np.ndarray]:
        """Returns the advantages and targets of all steps, except the last step of each session, which only provides
        the value after the end."""
        parts = []
        for each in episodes:
            values = logits(self.critic, each.inputs)[-1][:, 0]
            rewards = each.rewards[:-1] / (self.scale or 1)
            errors = rewards + DISCOUNT * values[1:] - values[:-1]
            parts.append((discounted(errors, DISCOUNT * TRACE), values[:-1]))
        found = np.concatenate([one for one, _ in parts])
        return found.astype(np.float32), (found + np.concatenate([v for _, v in parts])).astype(np.float32)


def single(parameters: Parameters) -> Parameters:
    """Converts the parameters to float32, the precision of the model file."""
    return [each.astype(np.float32) for each in parameters]


def discounted(values: np.ndarray, factor: float = DISCOUNT) -> np.ndarray:
    """Returns, by step, the discounted sum of the values of this and all later steps."""
    sums, later = np.empty(len(values)), 0.0
    for index in range(len(values) - 1, -1, -1):
        sums[index] = later = values[index] + factor * later
    return sums


def rung_rows(shape: Shape, inputs: np.ndarray) -> np.ndarray:
    """Returns the actor's inputs, one row per step and rung: [steps x rungs, shared + per_rung]."""
    shared = np.repeat(inputs[:, : shape.shared], shape.rungs, axis=0)
    return np.hstack([shared, inputs[:, shape.shared :].reshape(-1, shape.per_rung)])


def log_probabilities(actor: Parameters, shape: Shape, inputs: np.ndarray) -> np.ndarray:
    """Returns ln of the probabilities: [steps, rungs]."""
    return np.log(softmax(scores(actor, shape, inputs)))


def scores(actor: Parameters, shape: Shape, inputs: np.ndarray) -> np.ndarray:
    """Returns the logits: [steps, rungs]."""
    return logits(actor, rung_rows(shape, inputs))[-1].reshape(-1, shape.rungs)


def actor_gradient(
    actor: Parameters,
    shape: Shape,
    inputs: np.ndarray,
    actions: np.ndarray,
    before: np.ndarray,
    advantages: np.ndarray,
    entropy_weight: float,
) -> tuple[Parameters, float]:
    """Returns the derivative by each parameter of PPO's clipped loss minus the weighted entropy. Also returns the mean
    entropy."""
    layers = logits(actor, rung_rows(shape, inputs))
    chances = softmax(layers[-1].reshape(-1, shape.rungs))
    each = np.arange(len(actions))
    logs = np.log(np.maximum(chances, 1e-12))
    ratio = np.exp(logs[each, actions] - before)
    # Beyond the clip in the direction of the advantage, the objective is flat.
    active = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    chosen = np.zeros_like(chances)
    chosen[each, actions] = 1
    slope = (-(active * advantages * ratio))[:, None] * (chosen - chances)
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    slope += entropy_weight * chances * (logs + entropy)
    slope = (slope / len(actions)).astype(np.float32)
    return backward(actor, layers, slope.reshape(-1, 1)), float(entropy.mean())
