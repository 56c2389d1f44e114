import { drawNetworks, type DrawnNetwork } from './drawn-network.ts';
import { drawMarkovNetworks } from './markov-network.ts';

/** The generators of random networks, by their names in protocols. */
export const generators = {
  lab: drawNetworks,
  pensieve: drawMarkovNetworks,
} as const satisfies Readonly<Record<string, (count: number, seed: number) => DrawnNetwork[]>>;

export type GeneratorName = keyof typeof generators;
