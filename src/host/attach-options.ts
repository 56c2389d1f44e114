import { demand } from '../demand.ts';
import { InitialThroughputHistory } from '../learning/history.ts';
import { hasMethods, isRecord } from '../records.ts';
import type { SessionRecorder } from '../session/summary.ts';
import { localStorageText } from './browser/local-storage.ts';
import type { SammyOptions } from '../options.ts';
import type { AttachOptions } from './handle.ts';

/**
 * The parsed arguments of `attachSammy`: options that apply to all sessions of the player, and the options of the first
 * session.
 */
interface AttachSettings {
  readonly history: InitialThroughputHistory | undefined;
  readonly summary: (() => SessionRecorder) | undefined;
  readonly initialOptions: SammyOptions;
}

/** Throws an Error that names an option of the wrong type. The session checks its own options. */
export function readAttachOptions(options: AttachOptions): AttachSettings {
  const isObject: boolean = isRecord(options);
  demand(isObject, 'attachSammy: options', options, 'an object');
  const { storage = localStorageText, summary, ...initialOptions } = options;
  const canStore = storage === null || hasMethods(storage, 'read', 'write', 'remove');
  demand(canStore, 'option storage', storage, 'null or read(), write() and remove()');
  const canSummarize = summary === undefined || typeof summary === 'function';
  demand(canSummarize, 'option summary', summary, 'sessionSummary');
  return { history: storage ? new InitialThroughputHistory(storage) : undefined, summary, initialOptions };
}
