import { describe, expect, it } from 'vitest';
import { parseCpuTicks, parsePressure_us, parseProcessTimes, parseWaited_ns } from './proc-files.ts';

describe('parseCpuTicks', () => {
  it('adds up the fields of man 5 proc, without counting guests twice', () => {
    // The columns: user nice system idle iowait irq softirq steal guest guest_nice.
    const text = 'cpu  100 20 30 4000 500 6 7 80 90 9\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 5\n';
    expect(parseCpuTicks(text)).toEqual({ idle: 4500, busy: 163, stolen: 80 });
  });

  it('returns no steal time if the kernel does not report it', () => {
    expect(parseCpuTicks('cpu 1 2 3 4\n')).toEqual({ idle: 4, busy: 6, stolen: null });
  });

  it('refuses other files', () => {
    expect(() => parseCpuTicks('')).toThrow('/proc/stat has no line of all processors');
  });
});

describe('parsePressure_us', () => {
  it('reads the total of "some", not of "full"', () => {
    const text =
      'some avg10=1.99 avg60=13.17 avg300=13.34 total=6105796741\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n';
    expect(parsePressure_us(text)).toBe(6_105_796_741);
    expect(parsePressure_us('')).toBeNull();
  });
});

describe('parseProcessTimes', () => {
  it("reads the parent and four times, whatever the program's name is", () => {
    // The fields (man 5 proc): (4) ppid, (14) utime, (15) stime, (16) cutime, (17) cstime.
    const text =
      '1234 (tmux: (a) b) S 17 1234 1234 0 -1 4194560 155 0 0 0 11 22 33 44 20 0 1 0 13100212 6000 900 1 2 3\n';
    expect(parseProcessTimes(text)).toEqual({
      pid: 1234,
      parent: 17,
      command: 'tmux: (a) b',
      ticks: 11 + 22 + 33 + 44,
    });
  });

  it("omits init's adopted children, such as the browser of another lane", () => {
    const text = '1 (systemd) S 0 1 1 0 -1 4194560 155 0 0 0 11 22 33 44 20 0 1 0 13100212 6000 900 1 2 3\n';
    expect(parseProcessTimes(text)?.ticks).toBe(11 + 22);
  });

  it.each(['', '12 (a', '12 (a) S 1 2'])('is null for %j', (text) => {
    expect(parseProcessTimes(text)).toBeNull();
  });
});

describe('parseWaited_ns', () => {
  it('reads the second field of schedstat', () => {
    expect(parseWaited_ns('5000 49938 3\n')).toBe(49_938);
    expect(parseWaited_ns('0 0\n')).toBeNull();
  });
});
