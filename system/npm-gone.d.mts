/** Calls `end` when npm has ended, if npm started this process. */
export declare function onNpmGone(end: () => void): void;
