/**
 * The share of the link that the neighbor takes. `modest`: a window limits its connection to two thirds of the link,
 * so that it fills no queue by itself. `greedy`: as much as it can get, like any long download, so that the queue is
 * full with either player.
 */
export const APPETITES = ['modest', 'greedy'] as const;
export type Appetite = (typeof APPETITES)[number];
