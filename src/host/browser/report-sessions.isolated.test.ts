import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportSessions } from './report-sessions.ts';

let sent: Record<string, unknown>[];
let listeners: Map<string, () => void>;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  listeners = new Map();
  vi.stubGlobal('navigator', {
    sendBeacon: (_: string, text: string) => sent.push(JSON.parse(text) as Record<string, unknown>) > 0,
  });
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listeners.set(type, listener));
  vi.stubGlobal('removeEventListener', (type: string) => listeners.delete(type));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('reports at once, every minute, when the page is hidden and when the session ends', () => {
  let ended: (summary: never) => void = () => undefined;
  const sammy = {
    summary: { played_s: 1 } as never,
    on: (_: string, listener: never) => {
      ended = listener;
      return () => undefined;
    },
  };
  const stop = reportSessions(sammy, { url: 'https://edge/x', unit: 'viewer', arm: 'treatment' });
  vi.advanceTimersByTime(120_000);
  listeners.get('pagehide')?.();
  ended({ played_s: 9 } as never);
  vi.advanceTimersByTime(60_000);
  stop();
  vi.advanceTimersByTime(600_000);
  const of = (field: string) => sent.map((beacon) => beacon[field]);
  expect(of('sequence')).toEqual([0, 1, 2, 3, 4, 0]);
  expect(of('final')).toEqual([false, false, false, true, true, false]);
  expect(of('elapsed_s')).toEqual([0, 60, 120, 120, 120, 60]);
  expect(of('metrics').slice(3)).toEqual([{ played_s: 1 }, { played_s: 9 }, { played_s: 1 }]);
  expect(new Set(of('session_id')).size).toBe(2);
  expect(sent[0]).toMatchObject({ version: 1, unit: 'viewer', arm: 'treatment' });
  expect(String(sent[0]?.session_id)).toMatch(/^[\w-]{16,64}$/);
  expect(listeners.size).toBe(0);
});
