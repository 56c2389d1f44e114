import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { labEdge } from '../../network/edges/index.ts';
import type { SessionSettings } from '../records/session-settings.ts';
import { checkLink } from '../../network/links/check-link.ts';
import { removeStale } from '../../harness/runs/remove-stale.ts';
import { switchRates } from '../../network/links/switch-rate.ts';
import type { Runner, RunContext } from '../../harness/runs/study.ts';
import { chromiumVersion } from '../../host/setup/chromium.ts';
import { ensureLab } from '../../host/setup/ensure-lab.ts';
import { buildPage } from './build-page.ts';
import { getEdgeName, listLinks } from './plan-sessions.ts';
import { makeSpec } from './make-spec.ts';
import { startRun } from './start-run.ts';

/** Whether the session or its neighbor plays in a browser. */
const needsBrowser = ({ viewers = 'chromium', neighbor, conditions = [] }: SessionSettings): boolean =>
  viewers === 'chromium' || [{ neighbor }, ...conditions].some((each) => each.neighbor === 'video');

/** Prepares the links, the edge, the video and the page, and makes a session for each run. */
export async function makeSessions(settings: SessionSettings, context: RunContext): Promise<Runner> {
  const { outDir, print, onClose } = context;
  if (process.getuid?.() !== 0) {
    throw new Error(
      'the lab makes network namespaces and traces the kernel: run it as root, with sudo; or add --link virtual, which needs no root',
    );
  }
  const edge = await (await labEdge(getEdgeName(settings))).prepare(print);
  const links = listLinks(settings);
  const onSwitch = settings.switch === 'p4';
  const browser = needsBrowser(settings);
  await ensureLab(print, {
    mahimahi: !onSwitch,
    traces: links.some(({ rate }) => rate.kind === 'trace'),
    browser,
  });
  const missing = onSwitch ? missingLiveReason() : undefined;
  if (missing !== undefined)
    throw new Error(`the live switch cannot run here: ${missing}; run it as root on Linux`);
  for (const link of links) {
    await checkLink(link);
    if (onSwitch) await switchRates(link.rate);
  }
  await removeStale();
  const film = await ensureDefaultContent({ onProgress: print });
  const page = mkdtempSync(join(tmpdir(), 'dashjs-sammy-page-'));
  onClose(() => rmSync(page, { recursive: true, force: true }));
  if (browser) await buildPage(page);
  return {
    versions: { film: film.title, edge, ...(browser && { chromium: await chromiumVersion() }) },
    run: async (run, folder, signal) =>
      startRun(await makeSpec(run, settings, { outDir, folder, page, film: film.directory }), signal),
  };
}
