import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { monotonic_ms } from '../../../ground/clock/monotonic.ts';

export interface HttpExchange {
  /** When the first byte of the request was sent, on the clock of `monotonic_ms`. */
  readonly issued_ms: number;
  /** When the last byte of the response was received. */
  readonly received_ms: number;
}

/** Requests a URL and reads the complete response. */
export async function exchangeHttp(url: string, agent: Agent): Promise<HttpExchange> {
  const issued_ms = monotonic_ms();
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return { issued_ms, received_ms: monotonic_ms() };
}
