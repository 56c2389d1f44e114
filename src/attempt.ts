/** Returns what `action` returns, or undefined if it throws: for what may not be ready, or not be allowed. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
