import { Agent } from 'node:http';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { exchangeHttp, type HttpExchange } from './http-exchange.ts';

/**
 * Opens a connection. From the message 'begin' to the message 'report', sends a request as soon as the previous
 * response is complete.
 */

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
    const exchange = await exchangeHttp(`${server}/3MB`, agent).catch((error: unknown) => {
      if (!over) throw error;
    });
    if (!exchange || over) return;
    responses.push(exchange);
  }
}

await exchangeHttp(`${server}/hello`, agent);
say({ type: 'ready' });
