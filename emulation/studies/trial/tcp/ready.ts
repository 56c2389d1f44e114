import type { OnProgress } from '../../../../system/progress.ts';
import { calibrate } from '../../../network/links/calibrate.ts';
import { checkLink } from '../../../network/links/check-link.ts';
import type { Link } from '../../../network/links/link.ts';
import { openShell } from '../../../network/links/shell.ts';
import type { TracedLink } from '../../../network/links/trace-files/read-traces.ts';
import { removeStale } from '../../../harness/runs/remove-stale.ts';
import { missingLightLabReason } from '../../../host/setup/ensure-lab.ts';
import { ensureMahimahi } from '../../../host/setup/mahimahi.ts';

/**
 * Installs what sessions over TCP need, if this process has the permission. Otherwise, throws an Error of one line that
 * names the missing item.
 */
export async function ensureTcp(print: OnProgress, traces: boolean): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('trial --backend light makes network namespaces: run it as root, with sudo');
  await ensureMahimahi(print, { traces });
  const missing = await missingLightLabReason();
  if (missing !== null) throw new Error(missing);
}

/** A steady link with about the same rate, RTT and queue as the links of mahimahi's traces. */
const STEADY: Link = { rate: { kind: 'constant', mbps: 10 }, rtt_ms: 44, queue_bytes: 150_000 };
/** The number of attempts, because many calibrations fail on a busy machine. */
const ATTEMPTS = 12;

/**
 * Checks the links, removes leftovers of killed labs, and tests the emulator. The test uses a steady link, because the
 * momentary rate of a recorded link is unknown. If the emulated link is not as requested, throws an Error of one line
 * that describes the difference.
 */
export async function checkTcp(networks: readonly TracedLink[], print: OnProgress): Promise<void> {
  for (const { link } of networks) await checkLink(link);
  await removeStale();
  print({ task: 'Calibrating the emulated link' });
  let reason: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    reason = await findDifference();
    if (reason === undefined) return;
  }
  throw new Error(
    `the emulated link was not as requested ${ATTEMPTS} times: ${reason}; is the machine busy?`,
  );
}

async function findDifference(): Promise<string | undefined> {
  const shell = await openShell(STEADY);
  try {
    const { valid, reason } = await calibrate(shell, STEADY);
    return valid ? undefined : reason;
  } finally {
    await shell.close();
  }
}
