/** Calls `end` once npm, which started this process, is gone; never where something else started it. */
export declare function onNpmGone(end: () => void): void;
