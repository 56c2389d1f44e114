import { ensureChain } from '../../edge/chain.ts';
import { ensurePrometheus } from '../../edge/deploy/prometheus/program.ts';
import { ensureHaproxy } from '../../edge/haproxy/program.ts';
import { ensureModule, ensureNginx, missingNginxReason } from '../../edge/nginx/module.ts';
import { ensureNginxOfTrixie } from '../../edge/nginx/program.ts';
import { ensureVarnish } from '../../edge/vcl/varnish.ts';
import { ensureOldNode, missingOldNodeReason } from '../../e2e/old-engine/old-node.ts';
import { ensureChromium, ensureHeadlessShell } from '../../emulation/host/setup/chromium.ts';
import { ensureMahimahi } from '../../emulation/host/setup/mahimahi.ts';
import { ensureSlurm } from '../../emulation/host/setup/slurm.ts';
import { ensureDefaultContent, ensureTestContent } from '../../media/sources/footage.ts';
import { progressPrinter } from '../../system/progress.ts';
import { ensurePython } from '../../system/python.ts';
import { ensureFirefox } from './firefox.ts';
import { ensureWebKit } from './webkit.ts';

const isCi = (): boolean => Boolean(process.env.CI);

/** Awaits a setup step that may fail: the tests that need it are then skipped by name. */
const optional = (step: Promise<unknown>): Promise<unknown> =>
  step.catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
  });

/**
 * Installs the tools for the tests before the first test, so that a missing tool causes one clear message and not a
 * hundred failures. Always installs Chromium, Firefox, WebKit, ffmpeg, the content and Python's packages, and with
 * CI=true nginx and Varnish. For `everything`, also Node 0.12, Prometheus, HAProxy and, beside an installed nginx,
 * Debian 13's nginx, and with CI=true as root mahimahi, Slurm and Viceroy (a quarter of an hour). Returns the Python of
 * analysis/, or an Error that names the missing tool.
 */
export async function ensureTestTools(tier: 'gate' | 'everything'): Promise<string | Error> {
  const print = progressPrinter();
  const everything = tier === 'everything';
  await ensureChromium(print);
  await optional(ensureHeadlessShell(print));
  await ensureTestContent();
  await ensureDefaultContent();
  await optional(ensureFirefox(print));
  await optional(ensureWebKit(print));
  if (isCi()) await optional(ensureVarnish(print));
  const missingNginx = isCi() ? await ensureNginx(print) : await missingNginxReason();
  if (missingNginx === null) await optional(ensureModule(print));
  if (everything) {
    if (missingOldNodeReason === null) await optional(ensureOldNode());
    await optional(ensurePrometheus(print));
    await optional(ensureHaproxy(print));
    if (missingNginx === null)
      await optional(ensureNginxOfTrixie(print).then(({ nginx }) => ensureModule(print, { nginx })));
    // mahimahi replaces the machine's iptables, so it is installed only on CI machines, where that does no harm.
    if (isCi() && process.getuid?.() === 0) {
      await optional(ensureMahimahi(print));
      await optional(ensureSlurm(print));
      await optional(ensureChain(print));
    }
  }
  const python = await ensurePython(print, ['search', 'test']).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  print.end();
  return python;
}
