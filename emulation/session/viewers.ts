/**
 * What plays the film (`--viewers`), the default first: dash.js in Chromium, the plug-in's core in a model of dash.js, or
 * dash.js itself in a page without a browser.
 */
export const VIEWERS = ['chromium', 'light', 'page'] as const;
export type ViewersName = (typeof VIEWERS)[number];

/** Throws an Error that lists them if there is none of that name. */
export function viewersNamed(name: string): ViewersName {
  const viewers = VIEWERS.find((candidate) => candidate === name);
  if (viewers) return viewers;
  throw new Error(`--viewers is '${name}', expected ${VIEWERS.join(', ')}`);
}
