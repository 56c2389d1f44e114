/**
 * The share of the link that the neighbor takes. `modest`: a receive window limits the neighbor's connection to two
 * thirds of the link, so it never fills the queue alone. `greedy`: as much as possible, like any long download, so the
 * queue is full with either player.
 */
export const APPETITES = ['modest', 'greedy'] as const;
export type Appetite = (typeof APPETITES)[number];
