import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { printSessions } from '../edge/local/sessions/print-sessions.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import { getBucket } from '../src/experiment/bucket.ts';
import type { MediaPlayerLike } from '../src/index.ts';
import { assignUnits, CONFIGURATION as OF_UNITS, MOMENT, UNITS } from '../src/testing/assign-units.ts';
import { expect, playhead, test } from './support/fixtures.ts';

const ARMS = { control: { pacing: false }, treatment: { max_bitrate_kbps: 700 } };
const CONFIGURATION = {
  version: 1,
  experiments: [{ name: 'ceiling', design: 'ab', from: '2020-01-01T00:00Z', allocation: 0.5, ...ARMS }],
};
const findUnit = (arm: string): string =>
  Array.from({ length: 100 }, (_, n) => `viewer-${n}`).find(
    (unit) => getBucket('ceiling', unit) < 0.5 === (arm === 'treatment'),
  ) ?? '';

interface DashJs {
  MediaPlayer: () => {
    create: () => MediaPlayerLike & {
      updateSettings(settings: object): void;
      initialize(video: HTMLVideoElement, url: string, autoPlay: boolean): void;
    };
  };
}

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'e2e-experiment-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Plays as described in docs/experiments/edge.md: asks the edge for the arm, attaches the plug-in with its options, and
 * reports the session.
 */
const watch = (page: Page, edge: string, unit: string) =>
  page.evaluate(
    async ({ edge, unit, arms }) => {
      const at = (path: string) => import(path) as Promise<unknown>;
      const [{ MediaPlayer }, { attachSammy, sessionSummary }, { readAssignment, reportSessions }] =
        (await Promise.all([
          at('/dashjs5/esm/dash.all.min.js'),
          at('/dist/dashjs-sammy.js'),
          at('/dist/dashjs-sammy-experiment.js'),
        ])) as [DashJs, typeof import('../src/index.ts'), typeof import('../src/experiment/index.ts')];
      const cmcd = encodeURIComponent(`sid="${unit}"`);
      const answer = await fetch(`${edge}/manifest.mpd?CMCD=${cmcd}`, { method: 'HEAD' });
      const told = readAssignment(answer.headers.get('Server-Timing'));
      const arm = told?.arm ?? 'control';
      const player = MediaPlayer().create();
      player.updateSettings({ streaming: { cmcd: { enabled: true, sid: unit } } });
      const sammy = attachSammy(player, { ...arms[arm], summary: sessionSummary });
      window.sammy = sammy as typeof window.sammy;
      reportSessions(sammy, { url: `${edge}/.sammy/v1/sessions`, unit, arm });
      const video = document.body.appendChild(document.createElement('video'));
      video.muted = true;
      player.initialize(video, `${edge}/manifest.mpd`, true);
      return told;
    },
    { edge, unit, arms: ARMS },
  );

/** Starts the edge with its command. Returns its URL once it serves. */
async function startEdgeCommand(...options: string[]) {
  const args = ['--import', 'tsx', 'tools/main.ts', 'edge', '--port', '0', ...options];
  const edge = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    edge.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\/\/[^\s/]+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    edge.once('close', () => reject(new Error(`the edge has ended: ${said}`)));
  });
  const close = async () => {
    const closed = once(edge, 'close');
    edge.kill('SIGINT');
    await closed;
  };
  return { url, close };
}

test('a page gets its arm, plays with its options, and its session is stored', async ({
  page,
  edge: pages,
}) => {
  // Starting a command takes many seconds on a busy machine.
  test.setTimeout(180_000);
  const [file, sessions] = [join(folder, 'experiments.json'), join(folder, 'beacons')];
  writeFileSync(file, JSON.stringify(CONFIGURATION));
  const { directory: film } = await ensureTestContent();
  const where = ['--origin', film, '--cluster', 'link-1'];
  const edge = await startEdgeCommand(...where, '--experiments', file, '--sessions', sessions);
  try {
    const top: Record<string, number> = {};
    for (const arm of ['treatment', 'control'] as const) {
      await page.goto(`${pages.url}/empty.html`);
      expect(await watch(page, edge.url, findUnit(arm))).toEqual({
        experiment: 'ceiling',
        arm,
        allocation: 0.5,
        window: null,
        washout: false,
        cluster: 'link-1',
      });
      await playhead(page, 3, 60_000);
      const { options, decisions } = await page.evaluate(() => {
        const { options, decisions } = window.sammy;
        return { options, decisions: [...decisions] };
      });
      expect(options).toMatchObject(ARMS[arm]);
      const video = decisions.filter(({ media_type }) => media_type === 'video');
      top[arm] = Math.max(...video.map(({ bitrate_kbps }) => bitrate_kbps));
      if (arm === 'treatment') expect(video.every((each) => each.top_bitrate_kbps <= 700)).toBe(true);
      // The edge serves the control unpaced, because of its session id.
      else expect(video.every(({ applied_kbps }) => applied_kbps === null)).toBe(true);
      // Leaving the page sends the last beacon.
      await page.goto('about:blank');
    }
    expect(top.treatment).toBeLessThanOrEqual(700);
    expect(top.control).toBeGreaterThan(700);
    const stored = async () => {
      const lines: string[] = [];
      await printSessions([sessions], (line) => lines.push(line));
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    await expect.poll(async () => (await stored()).map(({ final }) => final)).toEqual([true, true]);
    for (const row of await stored()) {
      expect(row).toMatchObject({ schema_version: 1, experiment: 'ceiling', cluster: 'link-1' });
      expect([row.unit, row.told_arm]).toEqual([findUnit(String(row.arm)), row.arm]);
      expect(row.played_s).toBeGreaterThan(1);
      expect(row.mean_bitrate_kbps).toBeGreaterThan(0);
    }
  } finally {
    await edge.close();
  }
});

test('10,000 units have the same arms in Chromium as in Node', async ({ page, edge: pages }) => {
  await page.goto(`${pages.url}/empty.html`);
  const assigned = await page.evaluate(
    async ({ configuration, units, now }) => {
      const path = '/dist/dashjs-sammy-experiment.js';
      const built = (await import(path)) as typeof import('../src/experiment/index.ts');
      const [experiment] = built.readExperiments(configuration);
      return units.map((unit) => {
        const one = experiment && built.assign(unit, experiment, { cluster: 'link-1', now });
        return one ? `${one.bucket} ${one.arm}` : null;
      });
    },
    { configuration: OF_UNITS, units: UNITS, now: MOMENT },
  );
  expect(assigned).toEqual(assignUnits());
});
