/** Returns the result of `action`, or undefined if it throws. For calls that may be too early or forbidden. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
