/** How a process is asked to end: by Ctrl-C, by `kill` or a service manager, and by its terminal when that is closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof ENDING_SIGNALS)[number];

/** Calls `end` at each of these signals, which then do not end the process by themselves. Returns what takes this back. */
export function onEndingSignal(end: (signal: EndingSignal) => void): () => void {
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
}

/** Resolves at the first of these signals. The further ones do nothing, so that what is to be taken away then is. */
export const firstEndingSignal = (): Promise<EndingSignal> =>
  new Promise((resolve) => {
    onEndingSignal(resolve);
  });

/**
 * Lets `undo` end before the first of these signals ends the process, as it does by itself: for a process that starts, and has
 * nothing to finish. Returns what takes this back.
 */
export function undoAtEndingSignal(undo: () => Promise<void>): () => void {
  const takeBack = onEndingSignal((signal) => {
    void undo().finally(() => {
      takeBack();
      process.kill(process.pid, signal);
    });
  });
  return takeBack;
}
