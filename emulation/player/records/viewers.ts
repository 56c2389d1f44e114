/**
 * The players (`--backend`), the default first: dash.js in Chromium, the plug-in's core in a model of dash.js, or
 * dash.js itself in a page without a browser.
 */
export const VIEWERS = ['chromium', 'light', 'page'] as const;
export type ViewersName = (typeof VIEWERS)[number];
