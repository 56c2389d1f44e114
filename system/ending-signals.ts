/**
 * Signals that ask a process to end. They come from Ctrl-C, from `kill` or a service manager, and from a closed
 * terminal.
 */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof ENDING_SIGNALS)[number];

/**
 * Calls `end` at each ending signal, and disables their default action. Returns a function that removes the handlers.
 */
export function onEndingSignal(end: (signal: EndingSignal) => void): () => void {
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
}

/** Resolves at the first ending signal. Later signals are ignored, so that they do not interrupt the cleanup. */
export const firstEndingSignal = (): Promise<EndingSignal> =>
  new Promise((resolve) => {
    onEndingSignal(resolve);
  });

/**
 * Runs `undo` at an ending signal, then lets the signal end the process. Use it during startup, when there is no work
 * to finish. Returns a function that removes the handler.
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
