import { defineWork } from '../../../system/processes/work.ts';
import type { LinkRun } from './link-run.ts';
import type { SessionRow } from './session-row.ts';

export const linkWork = defineWork<undefined, LinkRun, SessionRow[]>({
  of: 'the world',
  program: new URL('./worker.ts', import.meta.url),
  // A session's objects live for minutes of virtual time. With a larger young generation, V8 copies a sixth less.
  options: ['--max-semi-space-size=64'],
  // An interrupted link leaves no files, so it may be killed, and waiting for it would take long.
  atSignal: 'ended',
});
