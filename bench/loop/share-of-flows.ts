import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../system/run-quietly.ts';
import { SERVER_ADDRESS, withBottleneck, type BottleneckOptions } from './bottleneck-link.ts';
import { inNamespace } from '../veth-link.ts';

/** A flow that always has data to send. */
export interface Flow {
  /** The congestion control, by the kernel's name. */
  readonly control: string;
  /** The maximum rate; 0 for none. */
  readonly pace_kbps?: number;
  /** The minimum rate; 0 for none. */
  readonly floor_kbps?: number;
}

const FIRST_PORT = 5200;
const script = (name: string): string[] => ['--import', 'tsx', fileURLToPath(new URL(name, import.meta.url))];

/** Measures the rate of each flow in kbit/s when all flows start together and share a bottleneck. */
export function shareOfFlows(
  link: BottleneckOptions,
  flows: readonly Flow[],
  { settle_s, seconds }: { readonly settle_s: number; readonly seconds: number },
): Promise<number[]> {
  return withBottleneck(link, async (server, client) => {
    const ports = flows.map((_, index) => String(FIRST_PORT + index));
    const senders = flows.map(({ control, pace_kbps = 0, floor_kbps = 0 }, index) => {
      const words = [SERVER_ADDRESS, ports[index] ?? '', control, String(pace_kbps), String(floor_kbps)];
      const [program, args] = inNamespace(server, process.execPath, [...script('bulk-sender.ts'), ...words]);
      return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    });
    try {
      await Promise.all(senders.map(firstLine));
      const words = [SERVER_ADDRESS, String(settle_s), String(seconds), ...ports];
      const [program, args] = inNamespace(client, process.execPath, [
        ...script('count-received.ts'),
        ...words,
      ]);
      return JSON.parse(await runQuietly(program, args)) as number[];
    } finally {
      for (const sender of senders) sender.stdin.end();
    }
  });
}

/** Returns the first line that a program prints. Throws an Error if the program ends without output. */
async function firstLine(program: ChildProcess): Promise<string> {
  if (!program.stdout) throw new Error('the program has no output');
  const printed = once(program.stdout, 'data') as Promise<[Buffer]>;
  const ended = once(program, 'exit').then(() => {
    throw new Error(`${program.spawnargs.slice(-6).join(' ')} ended before it said anything`);
  });
  const [text] = await Promise.race([printed, ended]);
  ended.catch(() => undefined);
  return text.toString().trim();
}
