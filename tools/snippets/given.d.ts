/**
 * What a reader has where a snippet begins, as the text around it says: a player, and what his own application is made of.
 * Each snippet of the documentation is compiled with this beside it, so that none has to repeat it.
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
