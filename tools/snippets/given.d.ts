/**
 * Declarations of the names that the documentation's snippets assume: a player, and parts of the reader's own
 * application. Every snippet is compiled with this file, so that none has to repeat them.
 */
/// <reference types="vite/client" />

/** The dash.js player that the first snippet creates. */
declare const player: import('dashjs').MediaPlayerClass;
/** The handle of the attached Sammy. */
declare const sammy: import('dashjs-sammy').SammyHandle;

/** For an experiment: the unit, the URL of the edge that assigns it, and the options of each arm. */
declare const unit: string;
declare const edge: string;
declare const ARMS: Readonly<Record<string, import('dashjs-sammy').AttachOptions>>;
