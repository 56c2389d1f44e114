import { defineWork } from '../../../system/processes/work.ts';
import type { LinkRun } from './link-run.ts';
import type { SessionRow } from './session-row.ts';

export const ranLinks = defineWork<undefined, LinkRun, SessionRow[]>({
  of: 'the world',
  program: new URL('./worker.ts', import.meta.url),
  // Sessions keep what they make for minutes of virtual time: with room for young objects V8 copies a sixth less.
  options: ['--max-semi-space-size=64'],
  // A link that is cut off leaves nothing, and takes long.
  atSignal: 'ended',
});
