import { expect, it } from 'vitest';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { VirtualClock } from '../clocks/virtual-clock.ts';
import { PartedWire, PARTINGS } from './parted-wire.ts';
import type { Listener, Wire, WireRequest } from './wire.ts';

const MS = 10;
const makeBytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => at % 251);

interface Answer {
  readonly status: number;
  /** Where in the file it begins. */
  readonly from: number;
  readonly body: Uint8Array;
  /** `Content-Range`. */
  readonly range: string | undefined;
}

interface Asked {
  readonly at_ms: number;
  readonly range: string | undefined;
  readonly rtp: number;
  readonly floor: boolean;
}

const FILE = makeBytes(100_000);

/** As RFC 9110 has it. */
const part = (range: string | undefined, file = FILE): Answer => {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const body = file.subarray(Number(first), last ? Number(last) + 1 : undefined);
  const to = Number(first) + body.length - 1;
  const told = range === undefined ? undefined : `bytes ${first}-${to}/${file.length}`;
  return { status: range === undefined ? 200 : 206, from: Number(first), body, range: told };
};
const whole = (file = FILE): Answer => part(undefined, file);

/**
 * A server that sends its answers at the pace of each request, or at the rate of the network where that is less, in pieces of
 * 10 ms, and hangs up where it has no answer; and what a page hears of it. The network's rate changes with time.
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

/** A request as above, until it is over. */
function play(...set: Parameters<typeof setUp>) {
  const { clock, seen, heard } = setUp(...set);
  while (heard.ended_ms === 0 && clock.next_ms < Infinity) clock.step();
  return { seen, heard };
}

it('sends one request without a floor if nothing is late: 100 kB at 8 Mbit/s take 100 ms', () => {
  const { seen, heard } = play('ask-again', () => 20_000);
  expect(seen).toEqual([{ at_ms: 0, range: undefined, rtp: 8000, floor: false }]);
  expect(heard).toMatchObject({ status: 200, size: 100_000, ended_ms: 100, isWhole: true });
});

it('cancels a part that takes a quarter longer, and requests the rest at half the pace', () => {
  // 40 kB come in 40 ms, and then 2.5 kB in 10 ms. The end is due 100 + 25 ms after the head, which comes at 10 ms: 62.5 kB
  // are there then. Of the rest 37.5 kB are due within 75 + 19 ms, again after 10: 25 kB come. And 12.5 kB in 50 ms.
  const { seen, heard } = play('ask-again', (now_ms) => (now_ms < 50 ? 20_000 : 2000));
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000]);
  expect(seen[1]?.at_ms).toBe(135);
  expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=62500-99999', 'bytes=87500-99999']);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it('never requests less than the floor, and waits at the floor', () => {
  const { seen, heard } = play('ask-again', () => 300);
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000, 1000]);
  expect(heard.isWhole).toBe(true);
});

it('requests ten packets at a time, slower while they arrive late, and faster afterwards', () => {
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

/** A network on which 100 kB at 8 Mbit/s are late: `ask-again` asks for the rest at 135 ms, when it has 62.5 kB. */
const SLOWER = (now_ms: number) => (now_ms < 50 ? 20_000 : 2000);

it.each(['ask-again', 'tiny-requests'] as const)(
  '%s accepts the whole file from a server without ranges',
  (parting) => {
    const { seen, heard } = play(parting, SLOWER, () => whole());
    expect(seen.length).toBeLessThanOrEqual(2);
    expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
  },
);

it('waits for the whole file if a server ignores the range of a repeated request', () => {
  const { seen, heard } = play('ask-again', SLOWER, (_, index) => (index === 0 ? part(undefined) : whole()));
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000]);
  // 800 kbit at 2 Mbit/s, of which the first 10 ms are for the head.
  expect(heard).toMatchObject({ ended_ms: 135 + 400, bytes: 100_000, isWhole: true });
});

it('reports the start once, even if nothing of the canceled part had arrived', () => {
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
])('fails, so that the player requests again, if the rest is %s', (_, answer) => {
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

it('accepts more than it requested, but no more than the file has', () => {
  const more = (range = '') => ({ ...part(range.replace(/-\d+$/, '-')), status: 206 });
  const { seen, heard } = play('tiny-requests', SLOWER, ({ range }) => {
    const answer = more(range);
    return { ...answer, body: Buffer.concat([answer.body, makeBytes(50)]) };
  });
  expect(seen.length).toBe(1);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it('fails if the first part does not state the total size', () => {
  const { heard } = play('tiny-requests', SLOWER, ({ range }) => ({
    ...part(range),
    range: 'bytes 0-14599/*',
  }));
  expect(heard).toMatchObject({ status: 0, failed: true });
});

it.each(['ask-again', 'tiny-requests'] as const)(
  '%s forwards an error of the server unchanged',
  (parting) => {
    const page = { status: 404, from: 0, body: makeBytes(50_000), range: undefined };
    const { seen, heard } = play(parting, SLOWER, () => page);
    expect(seen.length).toBe(1);
    expect(heard).toMatchObject({ status: 404, size: 50_000, bytes: 50_000, failed: false });
  },
);

it.each(['ask-again', 'tiny-requests'] as const)(
  '%s reports nothing after it was aborted at any time',
  (parting) => {
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
  },
);

it('reports nothing after it was aborted at its start', () => {
  let giveUp = (): void => undefined;
  const { clock, seen, heard, ...set } = setUp('ask-again', SLOWER, undefined, { began: () => giveUp() });
  ({ giveUp } = set);
  while (clock.next_ms < Infinity) clock.step();
  expect(seen.length).toBe(1);
  expect(heard).toMatchObject({ status: 200, bytes: 0, ended_ms: 0 });
});

it('delivers the whole file or fails, for any answers of the server and any network', () => {
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
        // The first answer says what the whole is.
        return index === 0 ? part(range) : all[draw(all.length)];
      },
    );
    expect([seed, heard.failed || heard.isWhole]).toEqual([seed, true]);
    expect(heard.failed && heard.isWhole).toBe(false);
    told[heard.failed ? 'failed' : 'whole'] += 1;
  }
  expect(Math.min(told.whole, told.failed)).toBeGreaterThan(10);
});
