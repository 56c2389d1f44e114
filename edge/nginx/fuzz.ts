import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { readCmcd, type PaceRequest } from '../cmcd.ts';
import { freePort } from '../../system/free-port.ts';
import { fuzzCommand, runFuzzer } from '../fuzz/fuzz-command.ts';
import { wellFormed } from '../fuzz/inputs.ts';
import { Outcomes } from '../fuzz/outcomes.ts';
import { tryInputs, type FuzzOptions } from '../fuzz/try-inputs.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { decidePace, paceLimits } from '../policy.ts';
import { asanLibrary, ensureModule } from './module.ts';
import { startNginx, type Nginx } from './server.ts';

export interface NginxFuzzReport {
  readonly failures: readonly string[];
  readonly outcomes: Outcomes;
}

const CONNECTIONS = 16;
const MOST_FAILURES = 10;
const QUIET_MS = 300;
const QUIET_AFTERWARDS_MS = 30;
const DEADLINE_MS = 20_000;
const LIMITS = paceLimits({ floor_kbps: 1000, ceiling_kbps: 50_000 });
/** Matches log lines that indicate a memory error, undefined behavior or a crash. */
const HURT = /Sanitizer|runtime error|exited on signal|\[(alert|emerg)\]/;

/**
 * Runs the fuzzer's hostile clients (edge/fuzz) against the nginx module, which is built with AddressSanitizer and
 * UndefinedBehaviorSanitizer. Half of the runs are CMCD payloads, for which the module's parser and nginx must give the
 * same results as edge/policy.ts. The other half are raw requests. The saved inputs of edge/fuzz/corpus are tried
 * first.
 */
export async function fuzzNginx(options: FuzzOptions): Promise<NginxFuzzReport> {
  const failures: string[] = [];
  const outcomes = new Outcomes();
  const folder = await mkdtemp(join(tmpdir(), 'nginx-fuzz-'));
  await writeFile(join(folder, '1.m4s'), Buffer.alloc(2000, 'm'));
  const parser = await compileParser(folder);
  const port = await freePort();
  const nginx = await startSanitized(folder, port, (line) => HURT.test(line) && failures.push(line));

  const tryCmcd = async (inputs: readonly string[]) => {
    const requests = inputs.flatMap(requestsWith);
    failures.push(...(await compareParser(parser, requests)));
    await inParallel(requests, port, (request, head) => {
      const told = parseReceipt((name) => createHeader(head, name));
      const { pace, reason } = decidePace(request.request, LIMITS);
      outcomes.count(told.reason ?? 'no receipt');
      if (told.reason !== reason || (told.pace_kbps ?? null) !== pace) {
        failures.push(
          `${JSON.stringify(request.target)} ${JSON.stringify(request.line)}: nginx says ${told.reason} ${told.pace_kbps}, the policy ${reason} ${pace}`,
        );
      }
    });
  };
  const tryRaw = (input: string) =>
    converse(port, input).then(
      (heard) => outcomes.countAnswer(heard),
      (error: unknown) => void failures.push(`${JSON.stringify(input)}: ${String(error)}`),
    );
  const witness = async () => {
    await inParallel(
      [
        {
          target: '/1.m4s',
          line: null,
          request: createRequest('/1.m4s', null),
          kind: 'q',
          payload: Buffer.alloc(0),
        },
      ],
      port,
      (_, head) => {
        if (!head.startsWith('HTTP/1.1 200 ')) failures.push(`another client is told ${head.slice(0, 12)}`);
      },
    );
  };

  try {
    await tryInputs(options, {
      cmcd: tryCmcd,
      raw: tryRaw,
      afterRaw: witness,
      isEnough: () => failures.length >= MOST_FAILURES,
    });
  } finally {
    await nginx.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { failures, outcomes };
}

/** Starts nginx with libasan preloaded, which a module built with AddressSanitizer needs. */
async function startSanitized(folder: string, port: number, onLine: (line: string) => void): Promise<Nginx> {
  const module = await ensureModule(() => undefined, { sanitize: true });
  const preload = await asanLibrary();
  return startNginx({
    module,
    port,
    preload,
    onLine,
    http: `
      large_client_header_buffers 4 128k;
      keepalive_requests 1000000;
      client_body_timeout 2s; client_header_timeout 2s; send_timeout 2s;
      log_format all '$cmcd_pace_kbps $cmcd_pace_reason $cmcd_pace_asked_kbps $cmcd_pace_args $cmcd_pace_request_uri';
      access_log {folder}/access.log all;
      server { listen 127.0.0.1:${port}; root ${folder}; cmcd_pace on; cmcd_pace_floor 1000; cmcd_pace_ceiling 50000; }`,
  });
}

interface CmcdRequest {
  readonly target: string;
  /** The value of the header CMCD-Status, in Latin-1; null without the header. */
  readonly line: string | null;
  readonly request: PaceRequest;
  /** The kind of payload for read-rtp.c: 'q' for a query's value, 'h' for a header. */
  readonly kind: 'q' | 'h';
  readonly payload: Buffer;
}

/**
 * Encodes a target in ASCII, like a URL parser. Needed because Node's URLSearchParams decodes `%xx` wrongly if there
 * are non-ASCII characters.
 */
const inAscii = (target: string): string => target.replace(/[^\x20-\x7e]/gu, encodeURIComponent);

const createRequest = (target: string, line: string | null): PaceRequest => ({
  url: inAscii(target),
  headers: new Headers(line === null ? {} : { 'CMCD-Status': line }),
});

/** Returns requests with a payload in every place that may contain CMCD, if HTTP can express the payload there. */
function requestsWith(cmcd: string): CmcdRequest[] {
  const encoded = encodeURIComponent(wellFormed(cmcd));
  // Remove white space and control characters, which are invalid in a request target.
  // oxlint-disable-next-line no-control-regex
  const raw = wellFormed(cmcd).replace(/[\x00-\x20\x7f]/g, '');
  // Skip long payloads that are not ASCII, because the policy counts characters and the module counts bytes.
  const queries = /[^\x20-\x7e]/.test(raw) && raw.length > 600 ? [encoded] : [encoded, raw];
  const line = cmcd.replace(/[^\x20-\x7e\xa0-\xff]/g, '').trim();
  return [
    ...queries.map((query): CmcdRequest => {
      const target = `/1.m4s?a=1&CMCD=${query}`;
      const [payload = ''] = query.split(/[&#]/, 1);
      return {
        target,
        line: null,
        request: createRequest(target, null),
        kind: 'q',
        payload: Buffer.from(payload),
      };
    }),
    {
      target: '/1.m4s',
      line,
      request: createRequest('/1.m4s', line),
      kind: 'h',
      payload: Buffer.from(line, 'latin1'),
    },
  ];
}

async function compileParser(folder: string): Promise<string> {
  const [program, here] = [join(folder, 'read-rtp'), fileURLToPath(new URL('.', import.meta.url))];
  const flags = [
    '-g',
    '-O1',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover=all',
  ];
  const sources = [join(here, 'fuzz/read-rtp.c'), join(here, 'module/cmcd_rtp.c')];
  await runQuietly('gcc', [...flags, '-I', join(here, 'module'), '-o', program, ...sources]);
  return program;
}

/** Returns one line for each payload that the module's parser reads differently from edge/cmcd.ts. */
async function compareParser(program: string, requests: readonly CmcdRequest[]): Promise<string[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [said, complained] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  child.stdin.on('error', () => undefined);
  for (const { kind, payload } of requests) {
    const head = Buffer.alloc(5);
    head.write(kind);
    head.writeUInt32LE(payload.length, 1);
    child.stdin.write(Buffer.concat([head, payload]));
  }
  child.stdin.end();
  await once(child, 'close');
  if (complained !== '') return [complained];
  const lines = said.split('\n');
  return requests.flatMap(({ kind, payload }, index) => {
    const text = payload.toString('latin1');
    const request =
      kind === 'q' ? createRequest(`/?CMCD=${payload.toString('utf8')}`, null) : createRequest('/', text);
    const { rtp, bitrate, topBitrate, playbackRate, fromPlugin } = readCmcd(request);
    const largest = Math.max(bitrate ?? 0, topBitrate ?? 0);
    const read = rtp === null ? '0' : 'refused' in rtp ? rtp.refused : String(rtp.pace);
    const expected = `${read} ${largest} ${playbackRate} ${fromPlugin ? 1 : 0}`;
    if (lines[index] === expected) return [];
    return [`${kind} ${JSON.stringify(text)}: the parser says ${lines[index]}, the policy ${expected}`];
  });
}

const createHeader = (head: string, name: string): string | null => {
  const prefix = `${name.toLowerCase()}: `;
  const found = head.split('\r\n').find((line) => line.toLowerCase().startsWith(prefix));
  return found === undefined ? null : found.slice(prefix.length);
};

/**
 * Sends the requests over a few connections, one after the other on each connection. `check` receives the headers of
 * each response.
 */
async function inParallel(
  requests: readonly CmcdRequest[],
  port: number,
  check: (request: CmcdRequest, head: string) => void,
): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    const heads = readHeads(socket);
    for (let request = requests[next++]; request; request = requests[next++]) {
      const lines = request.line === null ? '' : `CMCD-Status: ${request.line}\r\n`;
      socket.write(
        Buffer.concat([
          Buffer.from(`HEAD ${request.target} HTTP/1.1\r\nHost: edge\r\n`),
          Buffer.from(`${lines}\r\n`, 'latin1'),
        ]),
      );
      const { value } = await heads.next();
      if (value === undefined) {
        check(request, '');
        break;
      }
      check(request, value);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

async function* readHeads(socket: Socket): AsyncGenerator<string, undefined> {
  let rest = '';
  socket.setEncoding('latin1');
  for await (const chunk of socket as AsyncIterable<string>) {
    rest += chunk;
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 4);
    }
  }
  return undefined;
}

/**
 * Sends the bytes, reads until nothing more arrives, and closes the client's side. Rejects if nginx does not close the
 * connection.
 */
function converse(port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const hangUp = () => socket.end();
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is still open ${DEADLINE_MS / 1000} s after its client left`));
    }, DEADLINE_MS);
    let quiet = setTimeout(hangUp, QUIET_MS);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(hangUp, QUIET_AFTERWARDS_MS);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(deadline);
      clearTimeout(quiet);
      resolve(heard);
    });
    socket.write(Buffer.from(words, 'utf8'));
  });
}

const commandLine = runFuzzer('nginx', 'Clients of nginx with the module, under AddressSanitizer.');
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { failures } = await fuzzCommand(fuzzNginx, commandLine.parse(args).values);
  for (const failure of failures) console.error(failure);
}
