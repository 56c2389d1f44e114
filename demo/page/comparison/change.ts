/**
 * Formats the change from one value to another in whole percent, such as `-27%`. Null if a value is missing or `from`
 * is 0.
 */
export function changeText(from: number | null | undefined, to: number | null | undefined): string | null {
  if (from === null || from === undefined || to === null || to === undefined || from === 0) return null;
  const pct = Math.round((to / from - 1) * 100);
  return `${pct > 0 ? '+' : ''}${pct}%`;
}
