import { describe, expect, it } from 'vitest';
import {
  bitsPerSecondToKbps,
  bytes,
  transferSize,
  bytesPerSecond,
  bytesPerSecondToKbps,
  kbps,
  kibibytesPerSecond,
  kibibytesPerSecondToKbps,
  kbpsToBytesPerSecond,
  kbpsToKibibytesPerSecond,
  milliseconds,
  millisecondsToSeconds,
  averageRate,
  seconds,
  secondsToMilliseconds,
  transferTime,
} from './units.ts';

describe('units', () => {
  it('converts kbit/s to bytes/s and back: 8 kbit/s is 1000 byte/s', () => {
    expect(kbpsToBytesPerSecond(kbps(8))).toBe(1000);
    expect(bytesPerSecondToKbps(bytesPerSecond(1000))).toBe(8);
  });

  it("converts Fastly's kilobytes of 1024 bytes: its minimum of 128 KB/s is 1,048.576 kbit/s", () => {
    expect(kibibytesPerSecondToKbps(kibibytesPerSecond(128))).toBe(1048.576);
    expect(kbpsToKibibytesPerSecond(kbps(1048.576))).toBe(128);
  });

  it('converts @bandwidth from bit/s', () => {
    expect(bitsPerSecondToKbps(3_300_000)).toBe(3300);
  });

  it('converts times', () => {
    expect(secondsToMilliseconds(seconds(1.5))).toBe(1500);
    expect(millisecondsToSeconds(milliseconds(1500))).toBe(1.5);
  });

  it('relates size, time and rate: 1 MB in 2 s is 4 Mbit/s', () => {
    expect(averageRate(bytes(1_000_000), seconds(2))).toBe(4000);
    expect(transferTime(bytes(1_000_000), kbps(4000))).toBe(2);
    expect(transferSize(kbps(4000), seconds(2))).toBe(1_000_000);
  });

  it('returns an infinite rate for a time of 0', () => {
    expect(averageRate(bytes(1), seconds(0))).toBe(Infinity);
  });
});
