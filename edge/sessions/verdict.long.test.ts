import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAssignment } from '../../src/experiment/reported-assignment.ts';
import { bytes, milliseconds } from '../../src/units.ts';
import { ensurePython, pythonEnv } from '../../system/python.ts';
import { parseExperiments } from '../experiments.ts';
import { createHandler } from '../handler.ts';
import { startEdge, type Edge } from '../local/server.ts';
import { SessionStore } from '../local/sessions/session-store.ts';
import { paceLimits } from '../policy.ts';
import { takeSessions } from './sessions-route.ts';

const python = await ensurePython(() => undefined).catch((error: unknown) => {
  console.warn(
    `from an edge to a verdict: not tested, ${error instanceof Error ? error.message : 'no Python'}`,
  );
  return null;
});
if (python === null && process.env.CI !== undefined) throw new Error('Python is part of the tests in CI');

const BEGIN = Date.parse('2026-11-16T00:00Z');
const HOUR = 3_600_000;
const CONFIGURATION = {
  version: 1,
  experiments: [
    {
      name: 'pacing',
      design: 'paired',
      from: '2026-11-16T00:00Z',
      allocations: { one: 0.75, two: 0.25 },
      treatment: {},
    },
  ],
};
const DAYS = 3;
const HOURS = [0, 8, 16];
const VIEWERS = 8;

let directory: string;
let now = BEGIN;
let links: { name: string; edge: Edge; store: SessionStore }[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'edge-verdict-'));
  links = await Promise.all(['one', 'two'].map(openLink));
});
afterAll(async () => {
  await Promise.all(links.map(({ edge }) => edge.close()));
  rmSync(directory, { recursive: true });
});

async function openLink(name: string) {
  const list = parseExperiments(JSON.stringify(CONFIGURATION), (line) => {
    throw new Error(line);
  });
  const experiments = { list: () => list, cluster: name, now: () => milliseconds(now) };
  const store = new SessionStore({
    directory,
    limit: bytes(100_000_000),
    writer: name,
    writers: 2,
    now: () => now,
    onProblem: (line) => {
      throw new Error(line);
    },
  });
  const film = createHandler({
    origin: () => Promise.resolve(new Response('film')),
    limits: paceLimits(),
    experiments,
  });
  const handler = takeSessions(film, { experiments, store: (line) => store.append(line) });
  return { name, edge: await startEdge({ handler }), store };
}

/**
 * Simulates a viewer: requests its arm like a page, and sends two reports. On link one, where 75% of the sessions are
 * treated, the round trip is 10 ms shorter for all sessions. For treated sessions, it is 2 ms longer on both links.
 */
async function view({ name, edge }: { name: string; edge: Edge }, unit: string): Promise<void> {
  const answer = await fetch(`${edge.url}/1.m4s?CMCD=${encodeURIComponent(`sid="${unit}"`)}`, {
    method: 'HEAD',
  });
  const arm = readAssignment(answer.headers.get('Server-Timing'))?.arm ?? null;
  const rtt_median_ms = 50 + (arm === 'treatment' ? 2 : 0) - (name === 'one' ? 10 : 0);
  const report = async (sequence: number, elapsed_s: number, metrics: object) => {
    const beacon = { version: 1, session_id: `session-${unit}`, unit, sequence, elapsed_s, arm, metrics };
    const body = JSON.stringify({ ...beacon, final: sequence > 0 });
    const { status } = await fetch(`${edge.url}/.sammy/v1/sessions`, { method: 'POST', body });
    expect(status).toBe(204);
  };
  // The last report arrives before its predecessor, which has no values yet.
  await report(1, 60, { rtt_median_ms, pacing_honored: 'yes' });
  await report(0, 60, { rtt_median_ms: null, pacing_honored: 'unknown' });
}

it.skipIf(python === null)(
  "analyzes an edge's stored sessions unchanged, with the verdict of hand arithmetic",
  async () => {
    for (let day = 0; day < DAYS; day++) {
      for (const hour of HOURS) {
        now = BEGIN + (24 * day + hour) * HOUR + 120_000;
        for (const link of links) {
          const units = Array.from({ length: VIEWERS }, (_, n) => `${link.name}-${day}-${hour}-${n}-viewer`);
          await Promise.all(units.map((unit) => view(link, unit)));
        }
      }
    }
    for (const { store } of links) store.close();
    const run = (...args: string[]) =>
      execFileSync(python ?? '', ['-m', 'sammy_analysis', ...args], {
        env: pythonEnv(),
        cwd: directory,
        encoding: 'utf8',
      });
    const said = run('analyze', directory, '--out', 'verdict.html');
    const sessions = DAYS * HOURS.length * 2 * VIEWERS;
    expect(said).toContain(`${sessions} sessions, read as paired links`);
    // Untreated sessions have 50 ms if 25% are treated, and 40 ms if 75% are. Treated sessions have 2 ms more. By
    // extrapolation, it is 55 ms if nobody is treated, and 35 + 2 ms if all are. Percentages are relative to 55 ms.
    const estimated = (comparison: string, percent: string) =>
      expect(said).toMatch(new RegExp(`${comparison} .* Appendix B: ${percent}% `));
    estimated('deployed to all', '−32\\.7');
    estimated('untreated beside 75%', '−18\\.2');
    estimated('A/B test at 25%', '\\+3\\.6');
    // Identical sessions give no confidence interval.
    expect(said).toContain('These sessions do not show the effect of a deployment.');
    // Half of the records are earlier records of a session. They are excluded without an error.
    expect(said).toContain(`an earlier record of a session; the last one counts: ${sessions} rows`);
    expect(said).not.toMatch(/left out|arms do not have the sizes|not used/);
  },
  // Python takes 3 s to start, or ten times as long on a busy machine.
  180_000,
);
