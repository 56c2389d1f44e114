/**
 * Declarations of the names that the documentation's snippets assume: a player, and parts of the reader's own
 * application. Every snippet is compiled with this file, so that none has to repeat them.
 */
/// <reference types="vite/client" />

/** dash.js's player, as the first snippet makes it. */
declare const player: import('dashjs').MediaPlayerClass;
/** The handle of the attached Sammy. */
declare const sammy: import('dashjs-sammy').SammyHandle;

/** For an experiment: the assigned unit, the assigning edge, and the options of each arm. */
declare const unit: string;
declare const edge: string;
declare const ARMS: Readonly<Record<string, import('dashjs-sammy').AttachOptions>>;
