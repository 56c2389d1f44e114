import { ensureChain } from '../edge/chain.ts';
import { ensureOldNode, oldNodeLack } from '../e2e/old-engine/old-node.ts';
import { ensureDefaultContent, ensureTestContent } from '../media/sources/footage.ts';
import { ensureModule, ensureNginx, nginxLack } from '../edge/nginx/module.ts';
import { ensureNginxOfTrixie } from '../edge/nginx/program.ts';
import { progressPrinter } from '../system/progress.ts';
import { ensurePython } from '../system/python.ts';
import { main as buildPlugin } from './build.ts';
import { ensureChromium } from '../emulation/setup/chromium.ts';
import { ensureMahimahi } from '../emulation/setup/mahimahi.ts';
import { ensureSlurm } from '../emulation/setup/slurm.ts';
import { ensureFirefox } from './setup/firefox.ts';
import {
  measuringSteps,
  pythonSteps,
  quickSteps,
  releaseStep,
  runStages,
  siteStep,
  waitingSteps,
} from './steps.ts';

export const help = `
npm test

Everything: format, lint, types, unit tests, then end to end in a real Chromium and a real Firefox. Installs
Chromium, Firefox and ffmpeg where they are missing (as root, with apt); without Firefox its tests are skipped. The deployable chain, Varnish before Compute in Viceroy, takes a
quarter of an hour to install: it is tested where it is there, and with CI=true it is installed first; so are
nginx with its headers, mahimahi for the lab, which replaces the machine's iptables, and Slurm.
What was skipped is listed at the end, by reason. The last line is 'N passed, N failed, N skipped'.
`;

export async function main(): Promise<void> {
  // Checked before the first test, so that a missing tool gives one clear line and not a hundred failures.
  const print = progressPrinter();
  await ensureChromium(print);
  await ensureTestContent();
  // No test waits for a download, nor for a film to be made.
  await ensureDefaultContent();
  if (oldNodeLack === null) await ensureOldNode().catch((error: unknown) => console.error(String(error)));
  await ensureFirefox(print);
  if (process.env.CI) await ensureChain(print);
  const lackOfNginx = process.env.CI ? await ensureNginx(print) : await nginxLack();
  if (lackOfNginx === null) {
    await ensureModule(print);
    await ensureNginxOfTrixie(print)
      .then(({ nginx }) => ensureModule(print, { nginx }))
      .catch((error: unknown) => console.error(`HTTP/3 is not tested: ${String(error)}`));
  }
  // mahimahi changes the machine's iptables, so it is installed without asking only where that does no harm.
  if (process.env.CI && process.getuid?.() === 0) {
    await ensureMahimahi(print).catch((error: unknown) => console.error(String(error)));
    await ensureSlurm(print).catch((error: unknown) => console.error(String(error)));
  }
  const python = await ensurePython(print, ['search', 'test']).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  print.end();
  await buildPlugin();
  await runStages([
    [
      [...quickSteps, ...pythonSteps(python), releaseStep],
      // The site is built after the end-to-end test that builds a part of it, in the same folder for passing files.
      [...waitingSteps, ...(process.env.CI ? [siteStep] : [])],
    ],
    [measuringSteps],
  ]);
}
