import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildEdge } from '../edge/build.ts';
import { root } from '../tools/steps.ts';
import type { MeasuredServer } from './measured-server.ts';
import { inNamespace } from './veth-link.ts';

/** The network namespace of a server, if any, and its address. */
export interface Place {
  readonly namespace?: string;
  readonly host: string;
}

export const LOOPBACK: Place = { host: '127.0.0.1' };

/**
 * Starts the edge like `npx dashjs-sammy-edge`, serving the directory `origin`. `options` are options of its command
 * line.
 */
export async function startEdgeProcess(
  origin: string,
  options: readonly string[],
  { path = '/', place = LOOPBACK }: { path?: string; place?: Place } = {},
): Promise<MeasuredServer> {
  const program = await buildEdge();
  const args = [program, '--origin', origin, '--host', place.host, '--port', '0', ...options];
  return { name: 'edge', ...(await start(args, place)), path };
}

/** Starts bare-server.ts, the minimal server that paces. */
export async function startBareServer(
  file: string,
  rtp_kbps: number,
  { path, place }: { path: string; place: Place },
): Promise<MeasuredServer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('bare-server.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  const args = ['--input-type=module', '-e', code, '--', file, place.host, String(rtp_kbps)];
  return { name: 'bare Node loop', ...(await start(args, place)), path };
}

/** Starts Node, and waits for the line that contains the server's URL. */
async function start(
  args: readonly string[],
  { namespace, host }: Place,
): Promise<Omit<MeasuredServer, 'name' | 'path'>> {
  const child = spawn(...inNamespace(namespace, process.execPath, args), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('\n')) {
    if (child.exitCode !== null) throw new Error('the server ended; what it printed above says why');
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  return { process: child, host, port: Number(/:(\d+)$/.exec(said.split('\n', 1)[0] ?? '')?.[1]) };
}
