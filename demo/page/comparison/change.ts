/** The change from one value to another in whole percent, as text: `-27%`; null where either is missing or there is none. */
export function changeText(from: number | null | undefined, to: number | null | undefined): string | null {
  if (from === null || from === undefined || to === null || to === undefined || from === 0) return null;
  const pct = Math.round((to / from - 1) * 100);
  return `${pct > 0 ? '+' : ''}${pct}%`;
}
