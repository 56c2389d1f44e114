import { bitsPerSecondToKbps, type Kbps } from '../../src/units.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/**
 * Returns the kernel's paces of the connections that were accepted on a port, according to `ss` (iproute2).
 * `clientPorts` limits the result to these clients. Tests use this to check the actual pace of a socket.
 */
export async function socketPaces(port: number, clientPorts?: readonly number[]): Promise<Kbps[]> {
  const output = await runQuietly('ss', [
    '--tcp',
    '--numeric',
    '--no-header',
    '--info',
    '--oneline',
    'state',
    'established',
    'sport',
    '=',
    `:${port}`,
  ]);
  return output
    .split('\n')
    .filter((line) => clientPorts?.some((client) => line.includes(`:${client} `)) ?? true)
    .flatMap((line) => {
      // The format is pacing_rate NOW/MAX, bit/s with a unit letter. MAX is missing if it is unlimited.
      const [, , most] = /pacing_rate ([\d.]+[KMG]?)bps\/([\d.]+[KMG]?)bps/.exec(line) ?? [];
      return most === undefined ? [] : [bitsPerSecond(most)];
    });
}

const UNIT = { K: 1e3, M: 1e6, G: 1e9 } as const;

function bitsPerSecond(text: string): Kbps {
  const letter = text.at(-1) ?? '';
  const factor = letter in UNIT ? UNIT[letter as keyof typeof UNIT] : 1;
  return bitsPerSecondToKbps(Number.parseFloat(text) * factor);
}
