import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { closeTogether } from '../../system/close-together.ts';
import { readCorpus } from '../fuzz/corpus.ts';
import { fuzzCommand, runFuzzer } from '../fuzz/fuzz-command.ts';
import { cmcdInput, wellFormed } from '../fuzz/inputs.ts';
import { Outcomes } from '../fuzz/outcomes.ts';
import type { FuzzOptions } from '../fuzz/try-inputs.ts';
import { VARNISH_SERVICE } from '../testing/snippet-services.ts';
import { startVarnish } from './varnish.ts';

export interface VclFuzzReport {
  readonly failures: readonly string[];
  readonly outcomes: Outcomes;
}

/**
 * The tested values of `http_req_hdr_len`: Varnish's default, and a larger value, for which `http_req_size` is larger,
 * too.
 */
const LINE_BYTES = [8_192, 32_768] as const;
/** Texts whose repetition may be expensive for a regular expression, raw and percent-encoded. */
const PIECES = [
  ...['\\"', '",', '"\\', 'rtp=1,', ',rtp=0', 'br=(1;v ', 'nor="a",', '""', '&CMCD=', '?CMCD=a&', '&', '?'],
  ...['%22', '%5c', '%5C%22', '%2c', '%3D', '%28', '%2', '%2522', '%2c%3d%3b%5c%28%29%22%20'],
];
/** Varnish's lowest pace: 13 steps of 1,024 bytes/s (8.192 kbit/s), the first multiple above 100 kbit/s. */
const FLOOR_KBPS = (13 * 8192) / 1000;
const MOST_FAILURES = 10;
const CONNECTIONS = 16;
const BATCH = 512;

/**
 * Requests an object from a Varnish with the snippets, with hostile CMCD in the query and in headers, up to the longest
 * line that Varnish accepts. Runs with default limits and with larger limits. Varnish must return the object or reject
 * the request before VCL (400), and the origin must never receive the CMCD.
 */
export async function fuzzVcl({ runs, seed, onProgress }: FuzzOptions): Promise<VclFuzzReport> {
  const failures: string[] = [];
  const outcomes = new Outcomes();
  const corpus = await readCorpus('cmcd');
  const setting = await startSetting();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    for (const [index, { port, lineBytes }] of setting.fronts.entries()) {
      const inputs = asked(corpus, lineBytes);
      const part = runs / LINE_BYTES.length;
      for (let done = 0; done < part && failures.length < MOST_FAILURES; done += BATCH) {
        const numRuns = Math.min(BATCH, part - done);
        const left = fc.sample(inputs, { seed: seed + done, numRuns }).values();
        const client = async (): Promise<void> => {
          for (const input of left) {
            const problem = await tryInput(port, agent, input, outcomes);
            if (problem !== null) failures.push(`${problem}: ${JSON.stringify(input).slice(0, 20_000)}`);
          }
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, client));
        onProgress?.(index * part + done);
      }
    }
    failures.push(...setting.leaks);
  } finally {
    agent.destroy();
    await setting.close();
  }
  return { failures, outcomes };
}

interface Input {
  readonly query: string;
  readonly headers: Record<string, string>;
}

/** Generates inputs: the fuzzer's CMCD, and texts whose parts are repeated up to the longest line. */
function asked(corpus: readonly string[], mostBytes: number): Arbitrary<Input> {
  const piece = fc.oneof(cmcdInput(corpus), fc.constantFrom(...Array.from('",=;()\\%+ ar1'), ...PIECES));
  const stretched = fc
    .array(
      fc.tuple(
        piece,
        fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.double({ min: 0, max: 1, noNaN: true })),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((parts) =>
      parts
        .map(([text, share]) =>
          text.repeat(1 + Math.floor((share * share * mostBytes) / Math.max(1, text.length))),
        )
        .join('')
        .slice(0, mostBytes),
    );
  const payload = fc.oneof(cmcdInput(corpus), stretched, stretched, fc.constant('bs,rtp=5000,br=3000'));
  const query = fc.oneof(
    fc.constant(''),
    payload.map((text) => encodeURIComponent(wellFormed(text))),
    // Send raw text, because clients need not encode anything.
    payload.map((text) => text.replace(/[^\x21-\x7e]/g, '')),
  );
  // Keep only characters that a header may have: one line of Latin-1.
  const header = payload.map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '').trim());
  return fc
    .record({
      query,
      object: fc.option(header),
      status: fc.option(header),
      before: fc.boolean(),
      other: fc.nat(mostBytes - 100),
    })
    .map(({ query, object, status, before, other }) => ({
      query: `${before ? '?a=1&' : '?'}CMCD=${query}`.slice(0, mostBytes),
      headers: {
        ...(object !== null && { 'CMCD-Object': object }),
        ...(status !== null && { 'CMCD-Status': status }),
        // Varnish allocates the request in the same workspace into which VCL copies texts, so fill it with a long
        // header.
        Authorization: 'x'.repeat(other),
      },
    }));
}

/** Sends an input. Returns the problem with the response; null if there is none. */
async function tryInput(
  port: number,
  agent: Agent,
  { query, headers }: Input,
  outcomes: Outcomes,
): Promise<string | null> {
  const sent = request({ port, host: '127.0.0.1', path: `/1.m4s${query}`, headers, agent });
  try {
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    const status = response.statusCode ?? 0;
    outcomes.count(String(status));
    if (status !== 200) return status === 400 ? null : `the status is ${status}`;
    const receipt = parseReceipt((name) => response.headers[name.toLowerCase()]?.toString());
    outcomes.count(receipt.reason ?? 'no receipt');
    const { reason, pace_kbps } = receipt;
    const right =
      reason === 'floor'
        ? pace_kbps === FLOOR_KBPS
        : ['requested', 'foreign-player', 'ceiling'].includes(reason ?? '')
          ? Number(pace_kbps) >= FLOOR_KBPS
          : typeof pace_kbps !== 'number';
    if (!right) return `the receipt says ${receipt.reason} with a pace of ${receipt.pace_kbps}`;
    return receipt.reason === undefined ? 'it has no receipt' : null;
  } catch (error) {
    return String(error);
  }
}

const startSetting = () =>
  closeTogether(async (onClose) => {
    const leaks: string[] = [];
    const origin = createServer(
      { maxHeaderSize: 4 * Math.max(...LINE_BYTES) },
      ({ url = '', headers }, response) => {
        if (/[?&]CMCD=/.test(url) || Object.keys(headers).some((name) => /^(cmcd|x-sammy)-/.test(name)))
          leaks.push(`the origin is asked ${url} ${JSON.stringify(headers)}`);
        response.writeHead(200, { 'Content-Type': 'video/mp4' }).end('media');
      },
    ).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    onClose(() => {
      origin.closeAllConnections();
      return new Promise((resolve) => origin.close(resolve));
    });
    const { port: backendPort } = origin.address() as AddressInfo;
    const fronts: { readonly port: number; readonly lineBytes: number }[] = [];
    for (const lineBytes of LINE_BYTES) {
      const parameters = {
        http_req_hdr_len: `${lineBytes}`,
        http_req_size: `${4 * lineBytes}`,
        // Varnish's default, 96 kB, is three times its `http_req_size`.
        workspace_client: `${12 * lineBytes}`,
      };
      const varnish = await startVarnish({ backendPort, vcl: VARNISH_SERVICE, parameters });
      onClose(() => varnish.close());
      fronts.push({ port: varnish.port, lineBytes });
    }
    return { fronts, leaks };
  });

const commandLine = runFuzzer('vcl', 'CMCD values for Varnish with the snippets.');
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { failures } = await fuzzCommand(fuzzVcl, commandLine.parse(args).values);
  for (const failure of failures) console.error(failure);
}
