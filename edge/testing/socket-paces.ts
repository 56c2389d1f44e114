import { bitsPerSecondToKbps, type Kbps } from '../../src/units.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/**
 * The paces that the kernel has for the connections accepted on a port, as `ss` (iproute2) shows them; only those of the
 * clients on `clientPorts`, when given. Tests check by it which pace a socket really has.
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
      // pacing_rate NOW/MAX, bit/s with a unit letter; MAX is missing while it is unlimited.
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
