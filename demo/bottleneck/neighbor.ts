import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { exchangeHttp, type HttpExchange } from '../../emulation/player/neighbors/http/http-exchange.ts';
import type { Appetite } from './appetite.ts';
import { limitReceiveWindow } from './receive-window.ts';

/** The receive window of the modest neighbor, as a share of the bandwidth-delay product. */
export const MODEST_WINDOW = 2 / 3;

/** Fetches from one URL, always over the same connection for each appetite. */
export class Neighbor {
  readonly #url: string;
  readonly #agents: Record<Appetite, Agent> = { modest: oneConnection(), greedy: oneConnection() };
  #isLimited = false;

  constructor(url: string, window_bytes: number) {
    this.#url = url;
    // Set the limit after each response: the kernel recomputes it once it has learned how much memory packets take.
    this.#agents.modest.on('free', (socket: Socket) => {
      limitReceiveWindow(socket, window_bytes);
      this.#isLimited = true;
    });
  }

  /** Fetches once. Returns null for a modest response that began before the window was limited. */
  async fetch(appetite: Appetite): Promise<HttpExchange | null> {
    const counts = appetite === 'greedy' || this.#isLimited;
    const exchange = await exchangeHttp(this.#url, this.#agents[appetite]);
    return counts ? exchange : null;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

const oneConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
