/**
 * Declarations of the names that the documentation's snippets assume: a player, and parts of the reader's own
 * application. Every snippet is compiled with this file, so that none has to repeat them.
 */
/// <reference types="vite/client" />

/** dash.js's player, as the first snippet makes it. */
declare const player: import('dashjs').MediaPlayerClass;
/** What Sammy is attached as, there. */
declare const sammy: import('dashjs-sammy').SammyHandle;

/** Of an experiment: who is assigned, by which edge, and each arm's options. */
declare const unit: string;
declare const edge: string;
declare const ARMS: Readonly<Record<string, import('dashjs-sammy').AttachOptions>>;
