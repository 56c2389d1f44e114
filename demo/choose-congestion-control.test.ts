import { expect, it } from 'vitest';
import { createHandler } from '../edge/handler.ts';
import { takeVerdict } from '../edge/internal-headers.ts';
import { paceLimits } from '../edge/policy.ts';
import { chooseCongestionControl } from './choose-congestion-control.ts';

const seen: string[] = [];
const handler = chooseCongestionControl(
  createHandler({
    origin: (request) => {
      seen.push(new URL(request.url).search);
      return Promise.resolve(new Response('media'));
    },
    limits: paceLimits(),
  }),
);
const ask = async (query: string) => {
  seen.length = 0;
  const { headers } = await handler(new Request(`http://demo/1.m4s${query}`));
  return { verdict: takeVerdict(headers), seen: [...seen] };
};

it('adds the requested name to the verdict, next to the pace, and removes it from the query', async () => {
  expect(await ask('?a=1&cc=reno&CMCD=rtp%3D5000&b=2')).toMatchObject({
    verdict: { pace: 5000, asked: 5000, reason: 'requested', congestionControl: 'reno' },
    seen: ['?a=1&b=2'],
  });
});

it('does not change a request without a name', async () => {
  expect(await ask('?a=1')).toMatchObject({ verdict: { congestionControl: null }, seen: ['?a=1'] });
});

it('does not let a name break out of its header', async () => {
  const { verdict } = await ask('?cc=a%0D%0AX-Sammy-Pace-Kbps%3A%201');
  expect(verdict).toMatchObject({ pace: null, congestionControl: 'a%0D%0AX-Sammy-Pace-Kbps%3A%201' });
});
