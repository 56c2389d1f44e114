import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TurnQueue } from './few-a-turn.ts';

/** Makes callers wait, and records the order in which they proceed. */
function waiters(most: number) {
  const few = new TurnQueue<string>(most);
  const proceeded: string[] = [];
  const come = (group: string, ...names: string[]) => {
    for (const name of names) void few.next(group).then(() => proceeded.push(name));
  };
  return { come, proceeded };
}

it('lets the given number of callers proceed per turn of the event loop, in order', async () => {
  const { come, proceeded } = waiters(2);
  come('a', '1', '2', '3', '4', '5');
  await Promise.resolve();
  expect(proceeded).toEqual(['1', '2']);
  await nextTurn();
  expect(proceeded).toEqual(['1', '2', '3', '4']);
  // In the next turn, caller 5 has one of the two places, and caller 6 has the other.
  await nextTurn();
  come('a', '6', '7');
  await Promise.resolve();
  expect(proceeded).toEqual(['1', '2', '3', '4', '5', '6']);
  await nextTurn();
  expect(proceeded).toEqual(['1', '2', '3', '4', '5', '6', '7']);
});

it('lets groups take turns, and gives new groups priority', async () => {
  const { come, proceeded } = waiters(1);
  come('a', 'a1', 'a2', 'a3', 'a4');
  come('b', 'b1', 'b2', 'b3');
  await nextTurn();
  // a1 proceeded at once and a2 in this turn. Group a now waits behind group b.
  expect(proceeded).toEqual(['a1', 'a2']);
  come('c', 'c1');
  for (let turn = 0; turn < 6; turn++) await nextTurn();
  expect(proceeded).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'b3']);
});
