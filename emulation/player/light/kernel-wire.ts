import { once } from 'node:events';
import { Agent, get, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { paceKeys, urlWithRtp } from '../../../src/host/cmcd.ts';
import { kbps } from '../../../src/units.ts';
import { parseReceipt, type Receipt } from '../../../src/wire/receipt.ts';
import type { Arrival, SegmentRequest, Fetch, Wire } from '../model/player/wire.ts';

/** Chromium's limit of connections per server. */
const MOST_CONNECTIONS = 6;
/**
 * Chromium's delay before TCP keep-alive probes on a silent connection (`kTCPKeepAliveSeconds`). Node's agent would
 * probe after 1 s and close the connection after ten further seconds without an answer, which breaks sessions on a
 * network with outages.
 */
const KEEP_ALIVE_MS = 45_000;

/** Makes an agent with persistent connections as in a browser: the most recently used one is reused first. */
export const persistentAgent = (): Agent =>
  new Agent({
    keepAlive: true,
    keepAliveMsecs: KEEP_ALIVE_MS,
    maxSockets: MOST_CONNECTIONS,
    scheduling: 'lifo',
  });

/** Fetches a JSON file over the agent's connections. Throws an Error of one line. */
export async function fetchJson(agent: Agent, url: string): Promise<unknown> {
  const request = get(url, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${url}: HTTP ${response.statusCode}`);
  }
  return json(response);
}

interface Options {
  /** The agent of the requests, which is destroyed with the wire. */
  readonly agent: Agent;
  readonly videoFolder: URL;
  /** Whether the plug-in chooses the pace, and not dash.js. */
  readonly byPlugin: boolean;
  /** Time since the request for playback. */
  readonly now_ms: () => number;
  /** Called when a response ends. */
  readonly onEnd: () => void;
  readonly onError: (error: Error) => void;
}

/** Sends requests over the kernel's TCP, by HTTP/1.1 as a browser does. */
export class KernelWire implements Wire {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  fetch({ representation, segment, size_bytes, pace_kbps, cached }: SegmentRequest): Fetch {
    const { videoFolder: film, byPlugin, agent } = this.#options;
    const name = segment === null ? 'init.mp4' : `${segment + 1}.m4s`;
    const { href } = new URL(`${representation}/${name}`, film);
    const url = pace_kbps === null ? href : withPace(href, pace_kbps, byPlugin);
    return new Response(url, cached ? 'HEAD' : 'GET', size_bytes, agent, this.#options);
  }

  /** Fetches a complete file, such as the manifest. Throws an Error of one line. */
  fetchFile(name: string): Promise<Receipt> {
    const url = new URL(name, this.#options.videoFolder).href;
    return new Promise((resolve, reject) => {
      get(url, { agent: this.#options.agent }, (response) => {
        const receipt = readReceipt(response);
        response.resume().once('end', () => resolve(receipt));
        if (response.statusCode !== 200) reject(new Error(`${url}: HTTP ${response.statusCode}`));
      }).once('error', reject);
    });
  }

  close(): void {
    this.#options.agent.destroy();
  }
}

const withPace = (url: string, pace_kbps: number, byPlugin: boolean): string =>
  urlWithRtp(url, byPlugin ? paceKeys(kbps(pace_kbps), null) : [`rtp=${pace_kbps}`]);

const readReceipt = ({ headers }: IncomingMessage): Receipt =>
  parseReceipt((name) => headers[name.toLowerCase()]?.toString());

/** A response in progress. */
class Response implements Fetch, Arrival {
  readonly transfer: Arrival = this;
  readonly #request: ClientRequest;
  readonly #options: Options;
  size_bytes: number;
  receipt: Receipt = {};
  first_ms = NaN;
  ends_ms = Infinity;
  #arrived_bytes = 0;
  #latest_ms = -Infinity;
  #givenUp = false;

  constructor(url: string, method: 'GET' | 'HEAD', size_bytes: number, agent: Agent, options: Options) {
    this.size_bytes = size_bytes;
    this.#options = options;
    const fail = (what: string) => {
      if (!this.#givenUp) options.onError(new Error(`${url}: ${what}`));
    };
    this.#request = get(url, { agent, method }, (response) => {
      if (response.statusCode !== 200) fail(`HTTP ${response.statusCode}`);
      this.#begin(response);
      response.once('error', ({ message }) => fail(message));
    }).once('error', ({ message }) => fail(message));
  }

  #begin(response: IncomingMessage): void {
    const { now_ms, onEnd: changed } = this.#options;
    this.receipt = readReceipt(response);
    const length = Number(response.headers['content-length']);
    if (Number.isFinite(length)) this.size_bytes = length;
    response.on('data', (piece: Buffer) => {
      this.#latest_ms = now_ms();
      if (this.#arrived_bytes === 0) this.first_ms = this.#latest_ms;
      this.#arrived_bytes += piece.length;
    });
    response.once('end', () => {
      this.ends_ms = now_ms();
      if (Number.isNaN(this.first_ms)) this.first_ms = this.ends_ms;
      changed();
    });
  }

  arrivedBy(): number {
    return this.#arrived_bytes;
  }

  isSilentSince(time_ms: number): boolean {
    return this.#latest_ms < time_ms;
  }

  release(): void {
    // Nothing to do: the agent keeps the connection.
  }

  abort(): void {
    this.#givenUp = true;
    this.#request.destroy();
  }
}
