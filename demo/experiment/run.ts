import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';
import { printSessions } from '../../edge/local/sessions/print-sessions.ts';
import type { SessionRow } from '../../edge/sessions/beacon.ts';
import { ensureChromium, findHeadlessChromium } from '../../emulation/host/setup/chromium.ts';
import { ensureTestContent } from '../../media/sources/footage.ts';
import { closeTogether } from '../../system/close-together.ts';
import type { OnProgress } from '../../system/progress.ts';
import { buildPage } from '../build-page.ts';
import { openLink, sessionsIn, type Link } from './link.ts';

const DAY_MS = 86_400_000;
/** The file of the edges' configuration, in the experiment's folder. */
export const CONFIGURATION = 'experiments.json';
/** The time of day at which sessions run: 20:00. */
const EVENING_MS = 20 * 3_600_000;

/**
 * A maximum bitrate that allows only the lowest of the test content's five rungs, so that a few sessions show a large
 * difference.
 */
export const TREATMENT = { max_bitrate_kbps: 500 };
const ALLOCATIONS = { north: 0.75, south: 0.25 };
/**
 * Chosen so that the few viewers of each evening include a treated one in the north and an untreated one in the south.
 * Without these, one arm of a link would have no sessions.
 */
const SEED = 'ceiling-142';

const BROWSER_ARGS = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio'];
/** The maximum time for a session to start and play on a busy machine. */
const START_WITHIN_MS = 60_000;
/** The maximum time, after all viewers have left, until the last beacon of every session is stored. */
const STORED_WITHIN_MS = 20_000;

export interface LiveExperiment {
  /** The folder to write the configuration and the stored rows to. */
  readonly folder: string;
  readonly days: number;
  /** The number of viewers of each of the two links on each evening. */
  readonly viewers: number;
  /** Seconds of content that each viewer watches. */
  readonly seconds: number;
  readonly onProgress: OnProgress;
}

/**
 * Runs an experiment as a team would: two edges share a configuration, and browser sessions ask them for their arm,
 * play the content with the arm's options and report the results. An experiment's result needs several days, so the
 * edges' clock, which determines the assignment and the date of sessions, jumps to the next evening when all sessions
 * of an evening have ended. Everything else is as in production, except that the links are loopback, where sessions do
 * not compete. Returns the last row of each session.
 */
export async function runExperiment({
  folder,
  days,
  viewers,
  seconds,
  onProgress,
}: LiveExperiment): Promise<SessionRow[]> {
  const begin = Math.floor(Date.now() / DAY_MS - days) * DAY_MS;
  const configuration = configurationFrom(begin);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, CONFIGURATION), configuration);
  let [evening, since] = [begin + EVENING_MS, performance.now()];
  const now = () => evening + (performance.now() - since);

  const running = await closeTogether(async (onClose) => {
    const { directory: film } = await ensureTestContent({ onProgress });
    const page = await mkdtemp(join(tmpdir(), 'dashjs-sammy-experiment-'));
    onClose(() => rm(page, { recursive: true, force: true }));
    await buildPage(page, fileURLToPath(new URL('page', import.meta.url)));
    const links: Link[] = [];
    for (const cluster of Object.keys(ALLOCATIONS)) {
      const link = await openLink({ cluster, configuration, film, page, sessions: sessionsIn(folder), now });
      onClose(() => link.close());
      links.push(link);
    }
    const executablePath = findHeadlessChromium() ?? (await ensureChromium(onProgress));
    const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
    onClose(() => browser.close());
    return { browser, links };
  });
  try {
    for (let day = 0; day < days; day++) {
      onProgress({ task: `Evening ${day + 1} of ${days}`, fraction: day / days });
      [evening, since] = [begin + day * DAY_MS + EVENING_MS, performance.now()];
      await spendEvening(running, { folder, day, viewers, seconds });
    }
    return await rowsIn(folder);
  } finally {
    await running.close();
  }
}

/** Returns the experiment file, in the format of `npm run edge -- --experiments FILE`. */
const configurationFrom = (begin: number): string =>
  JSON.stringify(
    {
      version: 1,
      experiments: [
        {
          name: 'ceiling',
          seed: SEED,
          design: 'paired',
          from: new Date(begin).toISOString(),
          allocations: ALLOCATIONS,
          control: {},
          treatment: TREATMENT,
        },
      ],
    },
    null,
    2,
  );

/** Runs all sessions of an evening at the same time, and waits until their last beacons are stored. */
async function spendEvening(
  { browser, links }: { readonly browser: Browser; readonly links: readonly Link[] },
  { folder, day, viewers, seconds }: Pick<LiveExperiment, 'folder' | 'viewers' | 'seconds'> & { day: number },
): Promise<void> {
  // Each viewer gets a separate browser storage.
  const context = () => browser.newContext();
  const watching = links.flatMap((link) =>
    Array.from({ length: viewers }, async (_, viewer) => {
      const page = await (await context()).newPage();
      await page.goto(`${link.url}/index.html?unit=${link.cluster}-${day}-${viewer}`);
      const watched = (until: number) => (document.querySelector('video')?.currentTime ?? 0) >= until;
      await page.waitForFunction(watched, seconds, { timeout: START_WITHIN_MS + seconds * 1000 });
      // Leaving the page sends the last beacon.
      await page.goto('about:blank');
      return page;
    }),
  );
  const pages = await Promise.all(watching);
  const expected = (day + 1) * pages.length;
  const deadline = performance.now() + STORED_WITHIN_MS;
  for (;;) {
    const ended = (await rowsIn(folder)).filter(({ final }) => final === true).length;
    if (ended === expected) break;
    if (performance.now() > deadline)
      throw new Error(`${ended} of ${expected} sessions have reported their end`);
    await sleep(50);
  }
  for (const page of pages) await page.context().close();
}

/** Reads the last row of each session. */
async function rowsIn(folder: string): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  await printSessions([sessionsIn(folder)], (line) => rows.push(JSON.parse(line) as SessionRow));
  return rows;
}
