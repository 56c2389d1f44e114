import { describe, expect, it } from 'vitest';
import { Agenda } from '../../emulation/ground/clock/agenda.ts';
import { VirtualQueue } from './virtual-queue.ts';

/**
 * Sends packets 0, 1, ... at these times to a link that takes 1 ms for each. Returns the packets that leave the link,
 * and their times.
 */
function leaving(rule: { packets: number; at: 'tail' | 'front' }, times_ms: readonly number[]) {
  const agenda = new Agenda<() => void>();
  const left: (readonly [number, number])[] = [];
  let now = 0;
  const at = (time_ms: number, act: () => void) => agenda.add(time_ms, act);
  const queue = new VirtualQueue(rule, 1, at, ({ number }) => left.push([number, now]));
  times_ms.forEach((time, number) => at(time, () => queue.push({ flow: 0, number }, time)));
  while (agenda.next_ms < Infinity) {
    now = agenda.next_ms;
    agenda.take()();
  }
  return { left, dropped: queue.dropped };
}

describe('the queue in virtual time', () => {
  // The patterns are the ones computed by hand for the switch's own tests.
  it('drops packets at the tail if it is full', () => {
    const { left, dropped } = leaving({ packets: 2, at: 'tail' }, [0, 0.1, 0.2, 0.3, 2.5]);
    expect(left).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [4, 4],
    ]);
    expect(dropped).toBe(1);
  });

  it('drops the oldest packet at the front if it is too long, without using link time', () => {
    const { left, dropped } = leaving({ packets: 1, at: 'front' }, [0, 0.001, 0.002, 0.003, 2.5, 2.501]);
    expect(left).toEqual([
      [0, 1],
      [3, 2],
      [4, 3.5],
      [5, 4.5],
    ]);
    expect(dropped).toBe(2);
  });
});
