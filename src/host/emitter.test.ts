import { describe, expect, it, vi } from 'vitest';
import { Emitter } from './emitter.ts';

interface Events {
  tick: number;
  tock: string;
}

const createEmitter = () => {
  const report = vi.fn();
  return { emitter: new Emitter<Events>(['tick', 'tock'], report), report };
};
/** Waits until all listeners have been called and all errors have been reported. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('Emitter', () => {
  it('calls every listener of an event, in the order of the events, after the current work', async () => {
    const { emitter } = createEmitter();
    const told: unknown[] = [];
    emitter.on('tick', (tick) => told.push(tick));
    emitter.on('tick', (tick) => told.push(tick * 10));
    emitter.on('tock', (tock) => told.push(tock));
    emitter.emit('tick', 1);
    emitter.emit('tock', 'a');
    emitter.emit('tick', 2);
    expect(told).toEqual([]);
    await settled();
    expect(told).toEqual([1, 10, 'a', 2, 20]);
  });

  it('refuses a listener that is not a function', () => {
    const { emitter } = createEmitter();
    expect(() => emitter.on('tick', 5 as never)).toThrow('listener is 5, expected a function');
  });

  it('refuses a listener to an unknown event', () => {
    const { emitter } = createEmitter();
    expect(() => emitter.on('tic' as 'tick', () => undefined)).toThrow("event is 'tic', expected tick");
  });

  it.each([
    ['throws', () => { throw new Error('mine'); }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('reports once a listener that %s, and continues to call it and the others', async (_, mistaken) => {
    const { emitter, report } = createEmitter();
    const [first, second] = [vi.fn(mistaken), vi.fn()];
    emitter.on('tick', first);
    emitter.on('tick', second);
    for (const tick of [1, 2, 3]) emitter.emit('tick', tick);
    await settled();
    expect(first).toHaveBeenCalledTimes(3);
    expect(second).toHaveBeenCalledTimes(3);
    expect(report.mock.calls).toEqual([['tick', new Error('mine')]]);
  });

  it('does not call a listener that has been removed by itself or another listener', async () => {
    const { emitter } = createEmitter();
    const told: string[] = [];
    const offs = ['a', 'b', 'c'].map((name) =>
      emitter.on('tick', () => {
        told.push(name);
        if (name === 'a') offs[0]?.();
        if (name === 'a') offs[1]?.();
      }),
    );
    emitter.emit('tick', 1);
    emitter.emit('tick', 2);
    await settled();
    expect(told).toEqual(['a', 'c', 'c']);
  });

  it('calls a listener that is added in the same task as the event, because the handle was not available before', async () => {
    const { emitter } = createEmitter();
    emitter.emit('tick', 1);
    const told = vi.fn();
    emitter.on('tick', told);
    await settled();
    expect(told.mock.calls).toEqual([[1]]);
  });

  it('calls a listener that is added during an event from the next event on', async () => {
    const { emitter } = createEmitter();
    const late = vi.fn();
    emitter.on('tick', () => emitter.on('tick', late));
    emitter.emit('tick', 1);
    await settled();
    expect(late).not.toHaveBeenCalled();
    emitter.emit('tick', 2);
    await settled();
    expect(late.mock.calls).toEqual([[2]]);
  });
});
