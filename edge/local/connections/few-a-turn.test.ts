import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FewATurn } from './few-a-turn.ts';

it('lets so many proceed in each turn of the event loop, in order', async () => {
  const few = new FewATurn(2);
  const proceeded: number[] = [];
  for (let n = 0; n < 5; n++) void few.next().then(() => proceeded.push(n));
  await Promise.resolve();
  expect(proceeded).toEqual([0, 1]);
  await nextTurn();
  expect(proceeded).toEqual([0, 1, 2, 3]);
  // One of those who come now finds room beside the last one that waited; the turn after it is free again.
  await nextTurn();
  for (let n = 5; n < 7; n++) void few.next().then(() => proceeded.push(n));
  await Promise.resolve();
  expect(proceeded).toEqual([0, 1, 2, 3, 4, 5]);
  await nextTurn();
  expect(proceeded).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
