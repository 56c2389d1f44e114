/** What plays the film (`--viewers`), the default first. */
export const VIEWERS = ['chromium', 'light'] as const;
export type ViewersName = (typeof VIEWERS)[number];

/** Throws an Error that lists them if there is none of that name. */
export function viewersNamed(name: string): ViewersName {
  const viewers = VIEWERS.find((candidate) => candidate === name);
  if (viewers) return viewers;
  throw new Error(`--viewers is '${name}', expected ${VIEWERS.join(' or ')}`);
}
