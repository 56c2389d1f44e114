import type { DashPlayer } from './player.ts';

/** Adds listeners to dash.js's events, by event name. Returns a function that removes the listeners. */
export function listenTo(
  player: DashPlayer,
  listeners: Readonly<Record<string, (event: never) => void>>,
): () => void {
  const each = (what: 'on' | 'off') => {
    for (const [type, listener] of Object.entries(listeners)) player[what](type, listener);
  };
  each('on');
  return () => {
    each('off');
  };
}
