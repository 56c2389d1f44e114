import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { monotonic_ms } from '../../programs/monotonic.ts';
import { joinLab } from '../../programs/join-lab.ts';

/** Opens a connection, and from 'begin' to 'report' asks again as soon as it has the last byte of a response. */

export interface HttpExchange {
  /** As the first byte of the request was issued, on the clock of `monotonic_ms`. */
  readonly issued_ms: number;
  /** As the last byte of the response was received. */
  readonly received_ms: number;
}

export interface HttpResponses {
  readonly type: 'responses';
  readonly responses: readonly HttpExchange[];
}

const [server] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const responses: HttpExchange[] = [];
let over = false;

const say = joinLab(({ type }) => {
  if (type === 'begin') void askAgainAndAgain();
  else {
    over = true;
    agent.destroy();
    say({ type: 'responses', responses } satisfies HttpResponses);
  }
});

async function askAgainAndAgain(): Promise<void> {
  while (true) {
    const exchange = await ask('/3MB').catch((error: unknown) => {
      if (!over) throw error;
    });
    if (!exchange || over) return;
    responses.push(exchange);
  }
}

async function ask(path: string): Promise<HttpExchange> {
  const issued_ms = monotonic_ms();
  const [response] = (await once(get(`${server}${path}`, { agent }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return { issued_ms, received_ms: monotonic_ms() };
}

await ask('/hello');
say({ type: 'ready' });
