import { expect, it } from 'vitest';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { VirtualClock } from '../clocks/virtual-clock.ts';
import { PartedWire, PARTINGS } from './parted-wire.ts';
import type { Listener, Wire, WireRequest } from './wire.ts';

const MS = 10;
const makeBytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => at % 251);

interface Answer {
  readonly status: number;
  /** The position in the file at which the response begins. */
  readonly from: number;
  readonly body: Uint8Array;
  /** The header `Content-Range`. */
  readonly range: string | undefined;
}

interface Asked {
  readonly at_ms: number;
  readonly range: string | undefined;
  readonly rtp: number;
  readonly floor: boolean;
}

const FILE = makeBytes(100_000);

/** Answers a range request as RFC 9110 defines it. */
const part = (range: string | undefined, file = FILE): Answer => {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const body = file.subarray(Number(first), last ? Number(last) + 1 : undefined);
  const to = Number(first) + body.length - 1;
  const told = range === undefined ? undefined : `bytes ${first}-${to}/${file.length}`;
  return { status: range === undefined ? 200 : 206, from: Number(first), body, range: told };
};
const whole = (file = FILE): Answer => part(undefined, file);

/**
 * A server that sends its responses at the requested pace, or at the network's rate if this is lower, in pieces of 10
 * ms. It closes the connection if it has no response. `network` is the rate over time, in kbit/s. Records the
 * requests and the events that a page receives.
 */
function setUp(
  parting: keyof typeof PARTINGS,
  network: (now_ms: number) => number,
  answerOf: (asked: Asked, index: number) => Answer | undefined = ({ range }) => part(range),
  heardOf: Partial<Listener> = {},
) {
  const clock = new VirtualClock();
  const seen: Asked[] = [];
  const server: Wire = {
    ask({ url, headers }: WireRequest, listener: Listener) {
      const text = decodeURIComponent(url);
      const rtp = Number(/rtp=(\d+)/.exec(text)?.[1]);
      const range = headers.get('range');
      const asked = { at_ms: clock.now_ms, range, rtp, floor: text.includes('floor') };
      const answer = answerOf(asked, seen.push(asked) - 1);
      let [sent, isOver] = [0, false];
      let forget = (): void => undefined;
      const begin = (): void => {
        if (!answer) {
          listener.failed();
          return;
        }
        const { status, body, range: told } = answer;
        listener.began(
          {
            ...{ status, statusText: '', size_bytes: body.length },
            headers: new Map(told === undefined ? [] : [['content-range', told]]),
          },
          { write: (into, from) => into.set(body.subarray(from, from + into.length)) },
        );
        if (!isOver) send(body);
      };
      const send = (body: Uint8Array): void => {
        sent = Math.min(body.length, sent + (Math.min(rtp, network(clock.now_ms)) * MS) / 8);
        if (sent > 0) listener.arrived(sent);
        if (isOver) return;
        if (sent === body.length) listener.ended(sent);
        else forget = clock.at(clock.now_ms + MS, () => send(body));
      };
      forget = clock.at(clock.now_ms + MS, begin);
      return () => {
        isOver = true;
        forget();
      };
    },
  };
  const heard = { status: 0, size: 0, bytes: 0, ended_ms: 0, failed: false, isWhole: false };
  const listener: Listener = {
    began: (head, body) => {
      Object.assign(heard, { status: head.status, size: head.size_bytes });
      read = () => {
        const into = new Uint8Array(heard.bytes);
        body.write(into, 0);
        return into;
      };
      heardOf.began?.(head, body);
    },
    arrived: (bytes) => {
      expect(bytes).toBeGreaterThanOrEqual(heard.bytes);
      heard.bytes = bytes;
      heardOf.arrived?.(bytes);
    },
    ended: (bytes) => {
      Object.assign(heard, { bytes, ended_ms: clock.now_ms });
      heard.isWhole = Buffer.compare(read(), FILE) === 0;
    },
    failed: () => Object.assign(heard, { failed: true, ended_ms: clock.now_ms }),
  };
  let read = () => new Uint8Array();
  const cmcd = 'br=500,io.github.dashjs-sammy,io.github.dashjs-sammy-floor=1000,rtp=8000';
  const asked: WireRequest = {
    url: `http://film.example/1.m4s?CMCD=${encodeURIComponent(cmcd)}`,
    ...{ method: 'GET', headers: new Map(), body: undefined, initiator: 'fetch' },
  };
  const giveUp = new PartedWire(server, clock, PARTINGS[parting]).ask(asked, listener);
  return { clock, seen, heard, giveUp };
}

/** Makes one request to the server of `setUp`, and waits for its end. */
function play(...set: Parameters<typeof setUp>) {
  const { clock, seen, heard } = setUp(...set);
  while (heard.ended_ms === 0 && clock.next_ms < Infinity) clock.step();
  return { seen, heard };
}

it('sends a single request, without a floor, if nothing is late: 100 kB at 8 Mbit/s take 100 ms', () => {
  const { seen, heard } = play('ask-again', () => 20_000);
  expect(seen).toEqual([{ at_ms: 0, range: undefined, rtp: 8000, floor: false }]);
  expect(heard).toMatchObject({ status: 200, size: 100_000, ended_ms: 100, isWhole: true });
});

it('cancels a request that takes a quarter longer, and requests the remainder at half the pace', () => {
  // In the first 40 ms, 40 kB arrive; then 2.5 kB per 10 ms. The first request is due 100 + 25 ms after its head, which
  // arrives at 10 ms; by then, 62.5 kB have arrived. The other 37.5 kB are due 75 + 19 ms after the next head, another
  // 10 ms later; by then, 25 kB of them have arrived. The last 12.5 kB take 50 ms.
  const { seen, heard } = play('ask-again', (now_ms) => (now_ms < 50 ? 20_000 : 2000));
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000]);
  expect(seen[1]?.at_ms).toBe(135);
  expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=62500-99999', 'bytes=87500-99999']);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it('never paces below the floor, at which it waits', () => {
  const { seen, heard } = play('ask-again', () => 300);
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000, 1000]);
  expect(heard.isWhole).toBe(true);
});

it('requests ten packets at a time, slower while they are late, and faster again later', () => {
  const { seen, heard } = play('tiny-requests', (now_ms) => (now_ms > 30 && now_ms < 120 ? 1500 : 20_000));
  expect(seen.map(({ range }) => range)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((at) => `bytes=${at * 14_600}-${Math.min((at + 1) * 14_600, 100_000) - 1}`),
  );
  const paces = seen.map(({ rtp }) => rtp);
  expect(paces[0]).toBe(8000);
  expect(Math.min(...paces)).toBeLessThanOrEqual(4000);
  expect(Math.min(...paces)).toBeGreaterThanOrEqual(1000);
  expect(paces.at(-1)).toBeGreaterThan(Math.min(...paces));
  expect(heard).toMatchObject({ status: 200, size: 100_000, isWhole: true });
});

/**
 * A network on which 100 kB at 8 Mbit/s are late: at 135 ms, `ask-again` has 62.5 kB and requests the remaining ones.
 */
const SLOWER = (now_ms: number) => (now_ms < 50 ? 20_000 : 2000);

it.each(['ask-again', 'tiny-requests'] as const)(
  '%s receives the complete file from a server without range requests',
  (parting) => {
    const { seen, heard } = play(parting, SLOWER, () => whole());
    expect(seen.length).toBeLessThanOrEqual(2);
    expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
  },
);

it('uses and waits for the complete file if the server ignores the range', () => {
  const { seen, heard } = play('ask-again', SLOWER, (_, index) => (index === 0 ? part(undefined) : whole()));
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000]);
  // 800 kbit at 2 Mbit/s take 400 ms, of which the head takes the first 10 ms.
  expect(heard).toMatchObject({ ended_ms: 135 + 400, bytes: 100_000, isWhole: true });
});

it('reports the head once, even if a canceled request received nothing', () => {
  let begun = 0;
  const begins = () => void begun++;
  const { seen, heard } = play('ask-again', (now_ms) => (now_ms < 160 ? 0 : 20_000), undefined, {
    began: begins,
  });
  expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=0-99999']);
  expect(begun).toBe(1);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it.each<[string, Answer | undefined]>([
  ['416', { status: 416, from: 0, body: makeBytes(20), range: `bytes */${FILE.length}` }],
  ['404', { status: 404, from: 0, body: makeBytes(37_500), range: undefined }],
  ['503 with the size of the whole', { status: 503, from: 0, body: makeBytes(100_000), range: undefined }],
  ['nothing', { ...part('bytes=62500-99999'), body: makeBytes(0) }],
  ['a part from another place', part('bytes=70000-99999')],
  ['a part of something longer', part('bytes=62500-99999', makeBytes(100_001))],
  ['a part of nobody knows where', { ...part('bytes=62500-99999'), range: undefined }],
  ['the whole of something else', whole(makeBytes(90_000))],
  ['a closed connection', undefined],
])('fails, so that the player retries, if the remainder is %s', (_, answer) => {
  const { seen, heard } = play('ask-again', SLOWER, ({ range }, index) =>
    index === 0 ? part(range) : answer,
  );
  expect(seen.length).toBe(2);
  expect(heard).toMatchObject({ failed: true, bytes: 62_500, isWhole: false });
});

it.each(['ask-again', 'tiny-requests'] as const)('%s requests the missing bytes of a part', (parting) => {
  const { seen, heard } = play(parting, SLOWER, ({ range }, index) => {
    const full = part(range);
    return index % 2 === 0 ? full : { ...full, body: full.body.subarray(0, 1 + full.body.length / 2) };
  });
  expect(seen.length).toBeGreaterThan(2);
  expect(heard).toMatchObject({ bytes: 100_000, failed: false, isWhole: true });
});

it('uses more bytes than requested, but no more than the file has', () => {
  const more = (range = '') => ({ ...part(range.replace(/-\d+$/, '-')), status: 206 });
  const { seen, heard } = play('tiny-requests', SLOWER, ({ range }) => {
    const answer = more(range);
    return { ...answer, body: Buffer.concat([answer.body, makeBytes(50)]) };
  });
  expect(seen.length).toBe(1);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it('fails if the first part does not state the size of the file', () => {
  const { heard } = play('tiny-requests', SLOWER, ({ range }) => ({
    ...part(range),
    range: 'bytes 0-14599/*',
  }));
  expect(heard).toMatchObject({ status: 0, failed: true });
});

it.each(['ask-again', 'tiny-requests'] as const)(
  '%s passes an error of the server on unchanged',
  (parting) => {
    const page = { status: 404, from: 0, body: makeBytes(50_000), range: undefined };
    const { seen, heard } = play(parting, SLOWER, () => page);
    expect(seen.length).toBe(1);
    expect(heard).toMatchObject({ status: 404, size: 50_000, bytes: 50_000, failed: false });
  },
);

it.each(['ask-again', 'tiny-requests'] as const)('%s is silent after an abort at any time', (parting) => {
  const steps = (after: number) => {
    const { clock, seen, heard, giveUp } = setUp(parting, SLOWER);
    for (let step = 0; step < after && heard.ended_ms === 0; step++) clock.step();
    const before = { ...heard, requests: seen.length };
    giveUp();
    while (clock.next_ms < Infinity) clock.step();
    expect({ ...heard, requests: seen.length }).toEqual(before);
    return before.ended_ms === 0;
  };
  let after = 0;
  while (steps(after)) after++;
  expect(after).toBeGreaterThan(10);
});

it('is silent after an abort at the beginning', () => {
  let giveUp = (): void => undefined;
  const { clock, seen, heard, ...set } = setUp('ask-again', SLOWER, undefined, { began: () => giveUp() });
  ({ giveUp } = set);
  while (clock.next_ms < Infinity) clock.step();
  expect(seen.length).toBe(1);
  expect(heard).toMatchObject({ status: 200, bytes: 0, ended_ms: 0 });
});

it('delivers the complete file or fails, whatever the server answers and the network carries', () => {
  const told = { whole: 0, failed: 0 };
  for (let seed = 1; seed <= 100; seed++) {
    const random = seededRandom(seed);
    const draw = (count: number): number => Math.floor(count * random());
    const rates = Array.from({ length: 100 }, () => 500 + draw(20) ** 3);
    const answers = (range: string | undefined): readonly (Answer | undefined)[] => {
      const full = part(range);
      const from = draw(FILE.length);
      return [
        ...[full, full, full, full, whole(), undefined],
        { ...full, body: full.body.subarray(0, draw(full.body.length + 1)) },
        part(`bytes=${from}-`),
        part(`bytes=${Math.min(from, full.from)}-`),
        { ...full, range: full.range?.replace(/\d+$/, '*') },
        part(range, makeBytes(FILE.length + draw(2000))),
        { ...whole(), status: 500 },
      ];
    };
    const { heard } = play(
      draw(2) === 0 ? 'ask-again' : 'tiny-requests',
      (now_ms) => rates[Math.floor(now_ms / 50) % rates.length] ?? 0,
      ({ range }, index) => {
        const all = answers(range);
        // The first response is always correct, because it determines the size of the complete file.
        return index === 0 ? part(range) : all[draw(all.length)];
      },
    );
    expect([seed, heard.failed || heard.isWhole]).toEqual([seed, true]);
    expect(heard.failed && heard.isWhole).toBe(false);
    told[heard.failed ? 'failed' : 'whole'] += 1;
  }
  expect(Math.min(told.whole, told.failed)).toBeGreaterThan(10);
});
