/* Long TCP flows between two network namespaces: what tests and benchmarks send through a live switch. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface BulkFlow {
  readonly from: string;
  readonly to: string;
  /** Of the receiver. */
  readonly address: string;
  readonly port: number;
  readonly warmup_s: number;
  readonly seconds: number;
  /** At once; one unless said. */
  readonly flows?: number;
}

const PROGRAM = join(import.meta.dirname, 'bulk-end.mjs');
/** Seconds beyond its own after which a flow hangs: two processes start first, on a busy machine within a minute. */
const PATIENCE = 120;

/** Sends for as long as it says; returns bit/s of payload at the receiver after the warm-up, of all flows together. */
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
  const within_s = warmup_s + seconds + PATIENCE;
  const timer = setTimeout(() => receiver.kill(), within_s * 1000);
  try {
    await lines.next();
    sender = inNamespace(from, 'send', address, port, flows);
    const { value } = await lines.next();
    if (value === undefined)
      throw new Error(
        `the flow from ${from} to ${to} ${receiver.killed ? `did not end within ${within_s} s` : 'broke off'}`,
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
