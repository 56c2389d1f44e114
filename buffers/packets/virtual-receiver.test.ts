import { expect, it } from 'vitest';
import { VirtualReceiver } from './virtual-receiver.ts';

it('acknowledges each merged piece immediately, and every second single packet', () => {
  const receiver = new VirtualReceiver(7);
  expect(receiver.take([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([{ upTo: 7, beyond: [] }]);
  expect(receiver.delayed).toBe(true);
  expect(receiver.take([8])).toEqual([{ upTo: 9, beyond: [] }]);
  expect(receiver.take([9])).toEqual([]);
  expect(receiver.late()).toEqual({ upTo: 10, beyond: [] });
  expect(receiver.late()).toBeUndefined();
});

it('acknowledges packets after a gap immediately, and the packet that fills the gap', () => {
  const receiver = new VirtualReceiver(2);
  expect(receiver.take([0, 1, 3, 4, 5])).toEqual([
    { upTo: 2, beyond: [] },
    { upTo: 2, beyond: [3, 4] },
    { upTo: 2, beyond: [5] },
  ]);
  expect(receiver.take([2])).toEqual([{ upTo: 6, beyond: [] }]);
});
