import type { LinkRun } from './link-run.ts';
import { runLink } from './run-link.ts';

/** A process that runs links, one after the other, until its parent lets go of it. */
process.on('message', (run) => process.send?.(runLink(run as LinkRun)));
process.on('disconnect', () => process.exit());
