import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { VETH } from '../veth-link.ts';

/**
 * Runs bursts.py at the server's end of the veth, and returns the largest number of bytes and packets that a flow from
 * `port` carries within a millisecond. Start the client at the same time: the capture begins before the client sends
 * its requests.
 */
export async function mostWithinMillisecond(port: number, seconds: number): Promise<string> {
  const program = fileURLToPath(new URL('bursts.py', import.meta.url));
  const args = [program, VETH.interface, String(port), String(seconds)];
  const child = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said.trim();
}
