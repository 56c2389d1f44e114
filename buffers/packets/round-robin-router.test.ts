import { expect, it } from 'vitest';
import { Agenda } from '../../emulation/ground/clock/agenda.ts';
import { RoundRobinRouter } from './round-robin-router.ts';

/** Makes a router whose packets take 1 ms. Returns it with its departures and their times. */
function makeRouter(queues: number, buffer_packets: number) {
  const agenda = new Agenda<() => void>();
  let now = 0;
  const left: [packet: string, ms: number][] = [];
  const world = { now_ms: () => now, at: (ms: number, act: () => void) => agenda.add(ms, act) };
  const router = new RoundRobinRouter<string>({ queues, buffer_packets, packet_ms: 1 }, world, (packet) =>
    left.push([packet, now]),
  );
  const runTo = (end_ms: number): void => {
    while (agenda.next_ms <= end_ms) {
      now = agenda.next_ms;
      agenda.take()();
    }
    now = end_ms;
  };
  return { router, left, runTo };
}

it('takes a packet from each non-empty queue in turn', () => {
  const { router, left, runTo } = makeRouter(3, 10);
  for (const packet of ['a1', 'a2', 'a3']) router.push(0, packet);
  router.push(2, 'c1');
  router.push(2, 'c2');
  runTo(10);
  expect(left.map(([packet]) => packet)).toEqual(['a1', 'c1', 'a2', 'c2', 'a3']);
  expect(left.map(([, ms]) => ms)).toEqual([1, 2, 3, 4, 5]);
});

it('drops packets that find their own queue full, and counts how long the others waited', () => {
  const { router, runTo } = makeRouter(2, 2);
  const admitted = ['on the link', 'first', 'second', 'third'].map((packet) => router.push(0, packet));
  expect(admitted).toEqual([true, true, true, false]);
  expect(router.push(1, 'beside')).toBe(true);
  runTo(10);
  const [full, other] = router.counts;
  expect([full?.sent, full?.dropped, other?.sent, other?.dropped]).toEqual([3, 1, 1, 0]);
  // The first packet goes to the link immediately. After 1 ms it is the other queue's turn, so the remaining packets
  // wait for 2 and 3 ms.
  expect([...(full?.waits ?? [])].slice(0, 4)).toEqual([1, 0, 1, 1]);
  expect(other?.waits[1]).toBe(1);
});

it('does not delay a queue that sends less than its share', () => {
  const { router, runTo } = makeRouter(2, 50);
  for (let packet = 0; packet < 50; packet++) router.push(0, `bulk ${packet}`);
  for (let ms = 0; ms < 20; ms++) {
    router.push(1, `thin ${ms}`);
    runTo(3 * (ms + 1));
  }
  // A packet waits for at most one packet of the other queue.
  expect([...(router.counts[1]?.waits ?? [])].slice(2).every((count) => count === 0)).toBe(true);
});
