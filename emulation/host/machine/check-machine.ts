import { fileURLToPath } from 'node:url';
import { runInside } from './run-inside.ts';

const LINK_MBPS = 40;
/**
 * The highest goodput of the link: TCP with timestamps carries 1448 bytes of data in an Ethernet frame of 1514 bytes.
 */
const LIMIT_MBPS = (LINK_MBPS * 1448) / 1514;
/** The lowest share of the limit that counts as correct. In a transfer of 4 s, slow start costs at most 1.5%. */
const LEAST_SHARE = 0.985;

/** The result of transferring 20 MB inside the machine, through netem at 40 Mbit/s and 5 ms. */
export interface Transfer {
  readonly ms: number;
  readonly mbps: number;
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Transfers 20 MB inside a machine of this kernel. Throws an Error of one line. */
export async function transferInside(kernel: string, congestion = 'cubic'): Promise<Transfer> {
  let printed = '';
  let complaint = '';
  const { status } = await runInside(
    kernel,
    ['sh', path('bulk-check.sh'), process.execPath, path('bulk.mjs'), congestion],
    {
      within_s: 60,
      onOutput(stream, chunk) {
        if (stream === 'stdout') printed += chunk.toString();
        else complaint += chunk.toString();
      },
    },
  );
  if (status !== 0)
    throw new Error(`the machine's check failed: ${complaint.trim().split('\n').at(-1) ?? ''}`);
  return JSON.parse(printed) as Transfer;
}

/** The reason why the machine's link is slower or faster than calculated; null if it is neither. */
export function findTransferProblem({ mbps }: Transfer): string | null {
  if (mbps <= LIMIT_MBPS && mbps >= LEAST_SHARE * LIMIT_MBPS) return null;
  return `20 MB went through a link of ${LINK_MBPS} Mbit/s at ${mbps.toFixed(2)} Mbit/s, expected ${(LEAST_SHARE * LIMIT_MBPS).toFixed(1)} to ${LIMIT_MBPS.toFixed(2)}`;
}
