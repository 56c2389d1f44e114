import { fileURLToPath } from 'node:url';
import { runInside } from './run-inside.ts';

const LINK_MBPS = 40;
/** Of an Ethernet frame of 1514 bytes, TCP with timestamps carries 1448: the most that the link can give. */
const LIMIT_MBPS = (LINK_MBPS * 1448) / 1514;
/** Slow start costs a transfer of 4 s so little of it. */
const LEAST_SHARE = 0.985;

/** One transfer of 20 MB through netem at 40 Mbit/s and 5 ms inside. */
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

/** The reason why a machine is not to be trusted, or null: its link gives what arithmetic says. */
export function wrongWith({ mbps }: Transfer): string | null {
  if (mbps <= LIMIT_MBPS && mbps >= LEAST_SHARE * LIMIT_MBPS) return null;
  return `20 MB went through a link of ${LINK_MBPS} Mbit/s at ${mbps.toFixed(2)} Mbit/s, where ${(LEAST_SHARE * LIMIT_MBPS).toFixed(1)} to ${LIMIT_MBPS.toFixed(2)} are right`;
}
