/**
 * How much the neighbor takes: its connection has a window, so that it takes two thirds of the link at most and fills no
 * queue itself; or all that it can get, as any long download, so that the queue is full whatever the video does.
 */
export const APPETITES = ['modest', 'greedy'] as const;
export type Appetite = (typeof APPETITES)[number];
