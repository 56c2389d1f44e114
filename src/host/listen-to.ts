/** The part of a player that fires events. */
interface Target<Listener> {
  on(type: string, listener: Listener): void;
  off(type: string, listener: Listener): void;
}

/** Adds listeners to a player's events, by event name. Returns a function that removes the listeners. */
export function listenTo<Event extends never[]>(
  player: Target<(...event: Event) => void>,
  listeners: Readonly<Record<string, (...event: Event) => void>>,
): () => void {
  const each = (change: 'on' | 'off') => {
    for (const [type, listener] of Object.entries(listeners)) player[change](type, listener);
  };
  each('on');
  return () => {
    each('off');
  };
}
