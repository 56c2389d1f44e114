import { request, type Agent, type IncomingMessage } from 'node:http';
import type { WireRequest, Listener, Wire } from '../network/wire.ts';
import { joinPieces } from './pieces.ts';

/** Sends requests over the machine's own TCP, by HTTP/1.1. */
export class HttpWire implements Wire {
  readonly #agent: Agent;

  /** `agent` keeps the connections open between requests. */
  constructor(agent: Agent) {
    this.#agent = agent;
  }

  ask({ url, method, headers, body }: WireRequest, listener: Listener): () => void {
    let givenUp = false;
    const fail = () => {
      if (!givenUp) listener.failed();
      givenUp = true;
    };
    const asked = request(url, { agent: this.#agent, method, headers: Object.fromEntries(headers) });
    asked.once('error', fail);
    asked.once('response', (response) => {
      response.once('error', fail);
      forwardResponse(response, listener, () => givenUp);
    });
    asked.end(body);
    return () => {
      givenUp = true;
      asked.destroy();
    };
  }
}

function forwardResponse(response: IncomingMessage, listener: Listener, isGivenUp: () => boolean): void {
  const pieces: Buffer[] = [];
  let arrived = 0;
  const { statusCode = 0, statusMessage = '', headers } = response;
  const length = Number(headers['content-length'] ?? NaN);
  listener.began(
    {
      status: statusCode,
      statusText: statusMessage,
      headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      size_bytes: Number.isFinite(length) ? length : undefined,
    },
    joinPieces(pieces),
  );
  response.on('data', (piece: Buffer) => {
    if (isGivenUp()) return;
    pieces.push(piece);
    listener.arrived((arrived += piece.length));
  });
  response.once('end', () => {
    if (!isGivenUp()) listener.ended(arrived);
  });
}
