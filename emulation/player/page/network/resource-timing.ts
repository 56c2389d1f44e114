import type { Host } from '../host.ts';

/** A page's entry for a finished request (Resource Timing §4.3). Times are in ms since the page was opened. */
export interface ResourceEntry {
  readonly name: string;
  readonly entryType: 'resource';
  readonly initiatorType: string;
  readonly startTime: number;
  readonly fetchStart: number;
  readonly requestStart: number;
  readonly responseStart: number;
  readonly responseEnd: number;
  readonly duration: number;
  readonly workerStart: number;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
  readonly nextHopProtocol: string;
  readonly deliveryType: string;
  readonly responseStatus: number;
}

/** The number of entries that a page keeps until a script clears them (§4.4). */
const MOST_ENTRIES = 250;

/** `performance` of the page: its time and its finished requests. */
export function makePerformance({ clock, opened_ms }: Host) {
  let entries: ResourceEntry[] = [];
  let most = MOST_ENTRIES;
  const marks = new Map<string, number>();
  return {
    /** Records an entry; called by the network. */
    note(entry: ResourceEntry): void {
      if (entries.length < most) entries.push(entry);
    },
    page: {
      timeOrigin: opened_ms,
      timing: { navigationStart: opened_ms },
      now: () => clock.now_ms,
      getEntries: () => [...entries],
      getEntriesByType: (type: string) => (type === 'resource' ? [...entries] : []),
      getEntriesByName: (name: string) => entries.filter((entry) => entry.name === name),
      clearResourceTimings: () => void (entries = []),
      setResourceTimingBufferSize: (size: number) => void (most = size),
      mark: (name: string) => void marks.set(name, clock.now_ms),
      measure: () => undefined,
      clearMarks: () => marks.clear(),
      clearMeasures: () => undefined,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
  };
}
