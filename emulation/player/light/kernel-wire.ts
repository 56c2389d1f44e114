import { once } from 'node:events';
import { Agent, get, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { paceKeys, urlWithRtp } from '../../../src/host/cmcd.ts';
import { kbps } from '../../../src/units.ts';
import { parseReceipt, type Receipt } from '../../../src/wire/receipt.ts';
import type { Arrival, SegmentRequest, Fetch, Wire } from '../model/player/wire.ts';

/** Chromium opens so many connections to a server. */
const MOST_CONNECTIONS = 6;
/**
 * Chromium asks a silent server so late whether it is there (`kTCPKeepAliveSeconds`). Node's agent would after 1 s, and give
 * the connection up ten unanswered seconds later, which a network without capacity for a while does not survive.
 */
const KEEP_ALIVE_MS = 45_000;

/** Connections as a browser keeps them: the one used last is used first. */
export const keptConnections = (): Agent =>
  new Agent({
    keepAlive: true,
    keepAliveMsecs: KEEP_ALIVE_MS,
    maxSockets: MOST_CONNECTIONS,
    scheduling: 'lifo',
  });

/** Fetches a JSON file over such connections. Throws an Error of one line. */
export async function jsonOver(agent: Agent, url: string): Promise<unknown> {
  const request = get(url, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${url}: HTTP ${response.statusCode}`);
  }
  return json(response);
}

interface Options {
  /** It is destroyed with the wire. */
  readonly agent: Agent;
  /** The folder of the manifest. */
  readonly film: URL;
  /** Whether a pace is the plug-in's, and not dash.js's own. */
  readonly byPlugin: boolean;
  /** Since the request for playback. */
  readonly now_ms: () => number;
  /** Called when a response has ended. */
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** Requests over the kernel's TCP, HTTP/1.1 as a browser's. */
export class KernelWire implements Wire {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  fetch({ representation, segment, size_bytes, pace_kbps, cached }: SegmentRequest): Fetch {
    const { film, byPlugin, agent } = this.#options;
    const name = segment === null ? 'init.mp4' : `${segment + 1}.m4s`;
    const { href } = new URL(`${representation}/${name}`, film);
    const url = pace_kbps === null ? href : withPace(href, pace_kbps, byPlugin);
    return new Response(url, cached ? 'HEAD' : 'GET', size_bytes, agent, this.#options);
  }

  /** Fetches a file whole, as the manifest. Throws an Error of one line. */
  whole(name: string): Promise<Receipt> {
    const url = new URL(name, this.#options.film).href;
    return new Promise((resolve, reject) => {
      get(url, { agent: this.#options.agent }, (response) => {
        const receipt = receiptOf(response);
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

const receiptOf = ({ headers }: IncomingMessage): Receipt =>
  parseReceipt((name) => headers[name.toLowerCase()]?.toString());

/** A response under way. */
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
      if (!this.#givenUp) options.failed(new Error(`${url}: ${what}`));
    };
    this.#request = get(url, { agent, method }, (response) => {
      if (response.statusCode !== 200) fail(`HTTP ${response.statusCode}`);
      this.#begin(response);
      response.once('error', ({ message }) => fail(message));
    }).once('error', ({ message }) => fail(message));
  }

  #begin(response: IncomingMessage): void {
    const { now_ms, changed } = this.#options;
    this.receipt = receiptOf(response);
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

  silentSince(time_ms: number): boolean {
    return this.#latest_ms < time_ms;
  }

  done(): void {
    // The agent keeps the connection.
  }

  giveUp(): void {
    this.#givenUp = true;
    this.#request.destroy();
  }
}
