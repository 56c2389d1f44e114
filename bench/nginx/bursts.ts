import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inNamespace, VETH } from '../veth-link.ts';

/**
 * Returns the output of bursts.py of the server's end of the veth: the most bytes, and packets, that a flow from `port` carries
 * within a millisecond. It begins to capture before a client that is started together with it sends its requests.
 */
export async function mostWithinMillisecond(
  port: number,
  seconds: number,
  namespace?: string,
): Promise<string> {
  const program = fileURLToPath(new URL('bursts.py', import.meta.url));
  const args = [program, VETH.interface, String(port), String(seconds)];
  const child = spawn(...inNamespace(namespace, 'python3', args), { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said.trim();
}
