import { describe, expect, it } from 'vitest';
import { createAbrState } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { kbps } from '../../units.ts';
import { ttpInputs } from './ttp-inputs.ts';
import { HISTORY } from './ttp-model.ts';

const state = createAbrState();
const download = (size_bytes: number, download_ms: number, given = {}) =>
  createDownload(state, state.ladder[0], kbps(1000), { size_bytes, download_ms, ...given });

describe('ttpInputs', () => {
  it('uses the received part of an abandoned download, like the trainer', () => {
    const { values, largest_bytes } = ttpInputs(
      [
        download(8000, 300),
        // 900 bytes at 80 kbit/s take 90 ms of the 1700 ms.
        download(900, 1700, { outcome: 'abandoned', applied_kbps: 80 }),
        download(1000, 100),
      ],
      undefined,
    );
    expect([...values.slice(0, 4)]).toEqual([1000, 900, 8000, NaN]);
    expect([...values.slice(HISTORY, HISTORY + 3)]).toEqual([100, 1700, 300]);
    expect([...values.slice(2 * HISTORY, 2 * HISTORY + 3)]).toEqual([0, 90 / 1700, 0]);
    expect(values[3 * HISTORY]).toBe(3);
    expect(largest_bytes).toBe(8000);
  });

  it('assumes the requested pace without a receipt, like the trainer, unless the edge does not pace', () => {
    // 1000 bytes at 80 kbit/s take 100 ms, so the download has the throughput of its pace.
    const asked = { requested_kbps: 80, achieved_kbps: 80 };
    const { values } = ttpInputs(
      [
        download(1000, 100, { ...asked, applied_kbps: null }),
        download(1000, 100, { ...asked, pacing_honored: 'no' }),
        download(1000, 40, { ...asked, achieved_kbps: 200 }),
        download(1000, 125, { ...asked, achieved_kbps: 64 }),
        download(1000, 100, asked),
      ],
      undefined,
    );
    expect([...values.slice(2 * HISTORY, 2 * HISTORY + 5)]).toEqual([1, 0.8, 0, 0, 0]);
  });

  it('uses the last eight downloads', () => {
    const { values } = ttpInputs(
      Array.from({ length: 10 }, (_, index) => download(1 + index, 1)),
      undefined,
    );
    expect([...values.slice(0, HISTORY)]).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
  });
});
