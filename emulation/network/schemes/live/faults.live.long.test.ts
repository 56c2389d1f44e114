import { expect, it } from 'vitest';
import { missingLiveReason } from '../../../../p4/switch/live/missing-live-reason.ts';
import { findFault } from '../../../studies/pantheon/flow-statistics.ts';
import { schemeNamed } from '../index.ts';
import type { Scheme } from '../scheme.ts';
import { measureFlows } from './measure-flows.ts';

const reason = missingLiveReason();

const scheme = (receiver: readonly string[], sender: Scheme['sender']): Scheme => ({
  ...schemeNamed('srt'),
  receiver: () => receiver,
  sender,
});
const node = (program: string, ...args: string[]): string[] => [process.execPath, '-e', program, ...args];
const LISTEN_UDP = "require('node:dgram').createSocket('udp4').bind(5001)";

/** Returns the fault of a scheme that runs for three seconds at 4 Mbit/s. */
async function faultIn(one: Scheme): Promise<string | undefined> {
  const seconds = 3;
  const measured = await measureFlows(
    {
      link: { rate: { kind: 'constant', mbps: 4 }, rtt_ms: 20, queue_bytes: 30_000 },
      flows: [{ scheme: one, start_s: 0 }],
      ...{ seconds, seed: 1, program: (name) => name, congestionControl: (name) => name },
    },
    AbortSignal.timeout(60_000),
  );
  return findFault(measured, { seconds });
}

it.skipIf(reason)('reports a scheme that hangs before it listens', async () => {
  const hangs = scheme(['sleep', '100'], () => ['true']);
  expect(await faultIn(hangs)).toBe('its receiver did not listen within 10 s');
});

it.skipIf(reason)('reports a scheme that sends nothing', async () => {
  const silent = scheme(node(LISTEN_UDP), () => ['sleep', '100']);
  expect(await faultIn(silent)).toBe(
    'flow 1 sent 0 bytes in 3 s: the scheme sent nothing, or the path has no capacity',
  );
});

it.skipIf(reason)('reports a scheme that floods the path', async () => {
  const flood =
    "const s = require('node:dgram').createSocket('udp4'); const b = Buffer.alloc(1400); setInterval(() => { for (let n = 0; n < 20; n++) s.send(b, 5001, process.argv[1]); }, 5)";
  const floods = scheme(node(LISTEN_UDP), ({ address }) => node(flood, address));
  expect(await faultIn(floods)).toMatch(/^floods the path: \d\d% of its packets were dropped$/);
});
