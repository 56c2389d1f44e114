/** The two players of the demo: dash.js without and with the plug-in. */
export const ARMS = ['stock', 'sammy'] as const;
export type Arm = (typeof ARMS)[number];

/** The path prefix of everything that an arm's player requests, so that the edge can tell their traffic apart. */
export const armPrefix = (arm: Arm): string => `/${arm}/`;

/** The arm that a path belongs to; null for the page and its measurements. */
export const findArm = (path: string): Arm | null =>
  ARMS.find((arm) => path.startsWith(armPrefix(arm))) ?? null;
