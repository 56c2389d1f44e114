import { describe, expect, it } from 'vitest';
import { VirtualClock } from './clocks/virtual-clock.ts';
import { Thread } from './thread.ts';
import type { Listener, Wire, WireRequest } from './network/wire.ts';

const request = (url: string): WireRequest => ({
  ...{ url, method: 'GET', headers: new Map(), body: undefined, initiator: 'fetch' },
});

/** A thread that is busy for 10 ms with each response, and a wire whose responses the test ends. */
function busyPage() {
  const clock = new VirtualClock();
  const thread = new Thread(
    clock,
    (action) => action(),
    () => 10,
  );
  const listeners = new Map<string, Listener>();
  const wire: Wire = {
    ask: ({ url }, listener) => {
      listeners.set(url, listener);
      return () => undefined;
    },
  };
  const happened: string[] = [];
  const note = (name: string) => void happened.push(`${name} at ${clock.now_ms}`);
  const ask = (url: string, ended: () => void) => {
    const ignore = () => undefined;
    return thread
      .wrapWire(wire)
      .ask(request(url), { began: ignore, arrived: () => note(`part of ${url}`), failed: ignore, ended });
  };
  return {
    ...{ clock, thread, happened, note, ask },
    ends: (url: string, at_ms: number) => clock.at(at_ms, () => listeners.get(url)?.ended(1)),
    arrives: (url: string, at_ms: number) => clock.at(at_ms, () => listeners.get(url)?.arrived(1)),
    run: () => {
      while (clock.next_ms < Infinity) clock.step();
    },
  };
}

describe('the thread of a page', () => {
  it('runs all consequences of a response before the next response', () => {
    const { clock, thread, happened, note, ask, ends, run } = busyPage();
    const soon = (action: () => void) => void thread.clock.at(clock.now_ms, action);
    for (const name of ['first', 'second'])
      ask(name, () => {
        note(name);
        soon(() => soon(() => soon(() => note(`what ${name} leads to`))));
      });
    ends('first', 1);
    ends('second', 5);
    run();
    expect(happened).toEqual([
      'first at 1',
      'what first leads to at 11',
      'second at 11',
      'what second leads to at 21',
    ]);
  });

  it('reports responses in the order of their arrival, without aborted ones', () => {
    const { happened, note, ask, ends, arrives, run } = busyPage();
    ask('first', () => note('first'));
    ask('second', () => note('second'));
    const giveUp = ask('third', () => note('third'));
    ends('first', 1);
    arrives('second', 5);
    ends('third', 6);
    ends('second', 11);
    giveUp();
    run();
    expect(happened).toEqual(['first at 1', 'part of second at 11', 'second at 11']);
  });

  it('forgets a waiting event that is canceled', () => {
    const { thread, happened, note, ask, ends, run, clock } = busyPage();
    let cancel = (): void => undefined;
    ask('first', () => {
      note('first');
      cancel = thread.clock.at(5, () => note('event'));
    });
    ask('second', () => note('second'));
    ends('first', 1);
    ends('second', 6);
    clock.at(8, () => cancel());
    run();
    expect(happened).toEqual(['first at 1', 'second at 11']);
  });
});
