import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asJson } from '../../../../system/replace-files.ts';
import type { LinkRun } from '../link-run.ts';
import { TCP_WORLD, WHOLE_DAY } from './real-time.ts';
import type { TcpLinkResult } from './run-tcp-link.ts';
import { runTcpLinks } from './run-tcp-links.ts';

it('does not play again what is kept, unless it was kept of another world', async () => {
  const keep = mkdtempSync(join(tmpdir(), 'world-kept-'));
  try {
    const run: LinkRun = {
      ...{ world: TCP_WORLD, link: 'north', days: 1, seed: 1, treatment: 'sammy', design: 'all treated' },
    };
    const result: TcpLinkResult = { rows: [], leftOut: [{ session_id: 'a', reason: 'late' }], hours: [] };
    const file = join(keep, 'sammy-all-treated-north.json');
    writeFileSync(file, asJson({ run, hours: WHOLE_DAY, result }));
    // Whatever is to be played is cut off at once.
    const asked = { keep, hours: WHOLE_DAY, jobs: 2, signal: AbortSignal.abort(), print: () => undefined };
    expect(await runTcpLinks({ ...asked, runs: [run] })).toEqual([result]);
    const another = { ...run, seed: 2 };
    await expect(runTcpLinks({ ...asked, runs: [run, another] })).rejects.toThrow('ended early');
    // The other link's is another machine's.
    const south = { ...another, link: 'south' } as const;
    const shard = { index: 1, of: 2 };
    expect(await runTcpLinks({ ...asked, runs: [run, south], shard })).toEqual([result]);
  } finally {
    rmSync(keep, { recursive: true });
  }
}, 60_000);
