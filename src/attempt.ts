/** Returns the result of `action`, or undefined if it throws. For calls that the player or the browser may reject. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
