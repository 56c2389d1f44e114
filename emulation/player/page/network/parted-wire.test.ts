import { expect, it } from 'vitest';
import { VirtualClock } from '../clocks/virtual-clock.ts';
import { PartedWire, PARTINGS } from './parted-wire.ts';
import type { Listener, Wire, WireRequest } from './wire.ts';

const MS = 10;
const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, at) => at % 251);

/**
 * A server that has one file of 100 kB, which it sends at the pace of each request, or at the rate of the network where that is
 * less, in pieces of 10 ms; and what a page hears of it. The network's rate changes with time.
 */
function setUp(parting: keyof typeof PARTINGS, network: (now_ms: number) => number) {
  const file = bytesOf(100_000);
  const clock = new VirtualClock();
  const seen: { at_ms: number; range: string | undefined; rtp: number; floor: boolean }[] = [];
  const server: Wire = {
    ask({ url, headers }: WireRequest, listener: Listener) {
      const text = decodeURIComponent(url);
      const rtp = Number(/rtp=(\d+)/.exec(text)?.[1]);
      const range = headers.get('range');
      seen.push({ at_ms: clock.now_ms, range, rtp, floor: text.includes('floor') });
      const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
      const part = file.subarray(Number(first), last ? Number(last) + 1 : undefined);
      let sent = 0;
      let forget = (): void => undefined;
      const send = (): void => {
        if (sent === 0)
          listener.begins(
            {
              ...{ status: range ? 206 : 200, statusText: '', size_bytes: part.length },
              headers: new Map(range ? [['content-range', `bytes ${first}-/${file.length}`]] : []),
            },
            { write: (into, from) => into.set(part.subarray(from, from + into.length)) },
          );
        sent = Math.min(part.length, sent + (Math.min(rtp, network(clock.now_ms)) * MS) / 8);
        listener.arrived(sent);
        if (sent === part.length) listener.ended(sent);
        else forget = clock.at(clock.now_ms + MS, send);
      };
      forget = clock.at(clock.now_ms + MS, send);
      return () => forget();
    },
  };
  const heard = { status: 0, size: 0, bytes: 0, ended_ms: 0, whole: new Uint8Array() };
  const listener: Listener = {
    begins: ({ status, size_bytes = 0 }, body) => {
      Object.assign(heard, { status, size: size_bytes });
      whole = () => {
        const into = new Uint8Array(heard.bytes);
        body.write(into, 0);
        return into;
      };
    },
    arrived: (bytes) => (heard.bytes = bytes),
    ended: (bytes) => Object.assign(heard, { bytes, ended_ms: clock.now_ms, whole: whole() }),
    failed: () => undefined,
  };
  let whole = () => new Uint8Array();
  const cmcd = 'br=500,io.github.dashjs-sammy,io.github.dashjs-sammy-floor=1000,rtp=8000';
  const asked: WireRequest = {
    url: `http://film.example/1.m4s?CMCD=${encodeURIComponent(cmcd)}`,
    ...{ method: 'GET', headers: new Map(), body: undefined, initiator: 'fetch' },
  };
  new PartedWire(server, clock, PARTINGS[parting]).ask(asked, listener);
  while (heard.ended_ms === 0) clock.step();
  const { whole: _, ...told } = heard;
  return { seen, heard: { ...told, isWhole: Buffer.compare(heard.whole, file) === 0 } };
}

it('asks once, without a floor, where nothing is late: 100 kB at 8 Mbit/s take 100 ms', () => {
  const { seen, heard } = setUp('ask-again', () => 20_000);
  expect(seen).toEqual([{ at_ms: 0, range: undefined, rtp: 8000, floor: false }]);
  expect(heard).toMatchObject({ status: 200, size: 100_000, ended_ms: 100, isWhole: true });
});

it('cancels what takes a quarter longer, and asks for the rest at half the pace', () => {
  // 40 kB come in 40 ms, and then 2.5 kB in 10 ms. The end is due 100 + 25 ms after the head, which comes at 10 ms: 62.5 kB
  // are there then. Of the rest 37.5 kB are due within 75 + 19 ms, again after 10: 25 kB come. And 12.5 kB in 50 ms.
  const { seen, heard } = setUp('ask-again', (now_ms) => (now_ms < 50 ? 20_000 : 2000));
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000]);
  expect(seen[1]?.at_ms).toBe(135);
  expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=62500-99999', 'bytes=87500-99999']);
  expect(heard).toMatchObject({ status: 200, size: 100_000, bytes: 100_000, isWhole: true });
});

it('never asks for less than the floor, at which it waits', () => {
  const { seen, heard } = setUp('ask-again', () => 300);
  expect(seen.map(({ rtp }) => rtp)).toEqual([8000, 4000, 2000, 1000]);
  expect(heard.isWhole).toBe(true);
});

it('asks for ten packets at a time, slower while they come late, and faster again', () => {
  const { seen, heard } = setUp('tiny-requests', (now_ms) => (now_ms > 30 && now_ms < 120 ? 1500 : 20_000));
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
