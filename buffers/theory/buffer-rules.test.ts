import { describe, expect, test } from 'vitest';
import { ALGORITHMS } from './algorithm.ts';
import { bufferRules, type Bottleneck, type BufferRule } from './buffer-rules.ts';
import { describeBufferRules } from './command.ts';

const sixteenRenos: Bottleneck = {
  algorithm: ALGORITHMS.reno,
  bdp_packets: 168,
  flows: 16,
  fairness: 1,
  lossFlows: 2,
  idle: Math.exp(-2),
};

/** Of each rule what it says of one assumption. */
const says = (rules: readonly BufferRule[], start: string): Record<string, boolean | null> =>
  Object.fromEntries(
    rules.flatMap(({ source, assumptions }) =>
      assumptions.filter((one) => one.says.startsWith(start)).map(({ holds }) => [source, holds]),
    ),
  );

describe('the rules', () => {
  test('are the 14 rows of Table 1 and Theorem 5, with buffers by hand for 16 flows and 168 packets', () => {
    expect(
      bufferRules(sixteenRenos).map(({ source, buffer_packets, utilization }) => [
        source,
        buffer_packets === null ? null : Number(buffer_packets.toFixed(6)),
        utilization === null ? null : Number(utilization.toFixed(6)),
      ]),
    ).toEqual([
      ['Table 1, [1, 12]', 168, 1],
      ['Table 1, §3.5', 168, 1],
      ['Table 1, [14-16]', 168, 1],
      ['Table 1, §3.5', 168, 1],
      ['Table 1, §3.5', 72, 1],
      ['Table 1, §3.5', 24, 1],
      ['Table 1, §3.5', 42, 1],
      ['Table 1, Theorem 4, [2]', 42, 1],
      ['Theorem 5', 42, null],
      ['Table 1, Theorem 6', 42, 1],
      // 168 / √32 · √2
      ['Table 1, Theorem 8', 42, 1],
      // 256/168 + 2 flows, 3.5238 of 16, p = 0.220238: 37 - 16 + 3.5238
      ['Table 1, [13]', 24.52381, 1],
      ['Table 1, §4.6', 21, 1],
      ['Table 1, [17]', null, null],
      ['Table 1, Theorem 7', 0, 0.75],
    ]);
  });

  test('say which assumptions hold for Reno, and that two flows more are within √16', () => {
    const rules = bufferRules(sixteenRenos);
    expect(says(rules, 'the flows are bbr')['Table 1, Theorem 8']).toBe(false);
    expect(says(rules, 'the flows are reno')['Table 1, [13]']).toBe(true);
    // 168/16 packets.
    expect(says(rules, 'windows have 2 packets')['Table 1, Theorem 6']).toBe(true);
    expect(says(rules, 'at most n²')['Table 1, Theorem 6']).toBeNull();
  });

  test('and that all of two flows may see a loss, since Theorem 5 lets more', () => {
    const two = { ...sixteenRenos, bdp_packets: 4, flows: 2 };
    // 4/4 + √2.
    expect(says(bufferRules(two), 'at most n²')['Table 1, Theorem 6']).toBe(true);
  });

  test('and that five are not, nor windows of one packet', () => {
    expect(says(bufferRules({ ...sixteenRenos, lossFlows: 5 }), 'at most n²')['Table 1, Theorem 6']).toBe(
      false,
    );
    const crowded = { ...sixteenRenos, flows: 168 };
    expect(says(bufferRules(crowded), 'windows have 2')['Table 1, Theorem 7']).toBe(false);
    expect(says(bufferRules({ ...crowded, fairness: 4 }), 'windows have 2')['Table 1, Theorem 7']).toBeNull();
  });

  test('have no buffer for a factor that bbr has not, and one for a factor of one’s own', () => {
    const factorRow = (algorithm: Bottleneck['algorithm']) =>
      bufferRules({ ...sixteenRenos, algorithm })[3]?.buffer_packets;
    expect(factorRow(ALGORITHMS.bbr)).toBeNull();
    expect(factorRow({ name: 'own', atLoss: 'multiply', factor: 0.8 })).toBeCloseTo(42, 9);
  });
});

describe('npm run lab -- buffer-rules', () => {
  const asked = ['--rate', '100', '--rtt', '20', '--flows', '25', '--cc', 'cubic'];

  test('gives packets, bytes and milliseconds: 250,000 bytes are 20 ms, and 3/7 of that 107,143', () => {
    const lines = describeBufferRules(asked).split('\n');
    expect(lines[1]).toBe('BDP: 166.7 packets of 1500 bytes, 250000 bytes');
    expect(lines.find((line) => line.includes('3/7 BDP'))).toMatch(/ 71\.4 +107143 +8\.571 +100%/);
    // Δ of 2, and √25.
    expect(lines.find((line) => line.includes('Theorem 6'))).toMatch(/ 66\.7 +100000 +8\.000 +100%/);
    expect(lines.find((line) => line.includes('Theorem 7'))).toMatch(/ 0\.0 +0 +0\.000 +60%/);
  });

  test.each([
    [['--rtt', '0'], "--rtt is '0', expected a number of ms above 0 up to 1000000"],
    [['--rtt=-5'], "--rtt is '-5'"],
    [['--rate', 'fast'], "--rate is 'fast', expected a number of Mbit/s above 0 up to 10000000"],
    [['--flows', '1.5'], "--flows is '1.5', expected a whole number from 1 up to 1000000000"],
    [['--flows', ''], '--flows is empty'],
    [['--cc', 'vegas'], "--cc is 'vegas', expected reno, cubic, scalable, bbr, or"],
    [['--fairness', '0.5'], "--fairness is '0.5', expected a number from 1 up to 1000000"],
    [['--loss-flows', '26'], "--loss-flows is '26', expected a number from 0 up to 25"],
    [['--idle', '1'], "--idle is '1', expected a number above 0 below 1"],
    [['--flow', '3'], "unknown option '--flow' (Did you mean --flows?); npm run lab -- buffer-rules --help"],
    [['stray'], 'stray'],
  ])('%j is refused in one line', (more, message) => {
    expect(() => describeBufferRules([...asked, ...more])).toThrow(message);
  });

  test('says what is missing', () => {
    expect(() => describeBufferRules([])).toThrow(
      '--rate is missing, expected a number of Mbit/s above 0 up to 10000000',
    );
    expect(() => describeBufferRules(asked.slice(0, 6))).toThrow('--cc is missing');
  });
});
