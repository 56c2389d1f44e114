/* Sends long TCP flows between two network namespaces, for tests and benchmarks of a live switch. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface BulkFlow {
  readonly from: string;
  readonly to: string;
  /** Address of the receiver. */
  readonly address: string;
  readonly port: number;
  readonly warmup_s: number;
  readonly seconds: number;
  /** Number of parallel flows; 1 by default. */
  readonly flows?: number;
}

const PROGRAM = join(import.meta.dirname, 'bulk-end.mjs');
/**
 * Seconds that a flow may take in addition to its own duration. First, two processes must start, which can take up to a
 * minute on a busy machine.
 */
const GRACE_S = 120;

/** Sends for the given time. Returns the payload received after the warm-up, in bit/s, over all flows. */
export async function runBulkFlow({
  from,
  to,
  address,
  port,
  warmup_s,
  seconds,
  flows = 1,
}: BulkFlow): Promise<number> {
  const receiver = inNamespace(to, 'receive', address, port, warmup_s, seconds);
  const lines: AsyncIterator<string, undefined> = createInterface({ input: receiver.stdout })[
    Symbol.asyncIterator
  ]();
  let sender: ChildProcess | undefined;
  const deadline_s = warmup_s + seconds + GRACE_S;
  const timer = setTimeout(() => receiver.kill(), deadline_s * 1000);
  try {
    await lines.next();
    sender = inNamespace(from, 'send', address, port, flows);
    const { value } = await lines.next();
    if (value === undefined)
      throw new Error(
        `the flow from ${from} to ${to} ${receiver.killed ? `did not end within ${deadline_s} s` : 'broke off'}`,
      );
    const { bytes, seconds: took } = JSON.parse(value) as { bytes: number; seconds: number };
    return (bytes * 8) / took;
  } finally {
    clearTimeout(timer);
    await end(receiver);
    if (sender) await end(sender);
  }
}

function inNamespace(namespace: string, ...args: (string | number)[]) {
  return spawn('ip', ['netns', 'exec', namespace, process.execPath, PROGRAM, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
