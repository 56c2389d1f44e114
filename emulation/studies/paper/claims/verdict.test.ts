import { describe, expect, it } from 'vitest';
import { notBuilt, outline, type Row } from './exhibit.ts';
import { claimWords, judgeRow, judgeExhibit } from './verdict.ts';

const row = (given: Partial<Row>): Row => ({
  what: 'throughput',
  unit: '%',
  paper: null,
  ours: null,
  ...given,
});

describe('a row', () => {
  it.each<[string, Partial<Row>, ReturnType<typeof judgeRow>]>([
    // By default, the margin is a quarter of -60, so that the range is -75 to -45.
    ['of the paper’s size', { paper: -60, ours: [-50, -70, -30] }, 'holds'],
    ['of the paper’s sign', { paper: -60, ours: [-40, -55, -25] }, 'direction only'],
    ['of the other sign', { paper: -60, ours: [20, 5, 35] }, 'contradicts'],
    ['that may be nothing, or what the paper has', { paper: -60, ours: [-30, -70, 10] }, 'cannot tell'],
    [
      'that may be nothing, and is not what the paper has',
      { paper: -60, ours: [-10, -30, 10] },
      'contradicts',
    ],
    // Here, the paper's own interval is wider than a quarter of the number.
    ['within what the paper is unsure of', { paper: [-10, -20, 0], ours: [-19, -25, -13] }, 'holds'],
    [
      'with a margin of its own',
      { paper: 100, ours: [108, 104, 112], claim: { of: 'size', margin: 5 } },
      'direction only',
    ],
    ['of one run, of the paper’s size', { paper: -60, ours: -60 }, 'cannot tell'],
    ['of one run, of the other sign', { paper: -60, ours: 20 }, 'cannot tell'],
    ['that is a level, near the paper’s', { paper: 80, level: true, ours: [85, 80, 90] }, 'holds'],
    ['that is a level, elsewhere', { paper: 80, level: true, ours: [120, 110, 130] }, 'contradicts'],
    ['that is a level, of one run', { paper: 80, level: true, ours: 130 }, 'cannot tell'],
    ['that is a level, perhaps near', { paper: 80, level: true, ours: [98, 90, 106] }, 'cannot tell'],
    [
      'that is a count',
      { paper: 46, level: true, isCount: true, ours: 39, claim: { of: 'at most' } },
      'holds',
    ],
    ['of words only', { paper: 'lower', ours: [-3, -4, -2] }, null],
    ['of less', { paper: 'lower', ours: [-3, -4, -2], claim: { of: 'less' } }, 'holds'],
    ['of less, perhaps', { paper: 'lower', ours: [-3, -7, 1], claim: { of: 'less' } }, 'cannot tell'],
    ['of less, that is more', { paper: 'lower', ours: [3, 1, 5], claim: { of: 'less' } }, 'contradicts'],
    ['of more, of one run', { paper: 'more', ours: 2, claim: { of: 'more' } }, 'cannot tell'],
    ['of no change', { paper: 0, ours: [1, -1, 3], claim: { of: 'no change', margin: 4 } }, 'holds'],
    [
      'of no change, with a wide interval',
      { paper: 0, ours: [1, -9, 11], claim: { of: 'no change', margin: 4 } },
      'cannot tell',
    ],
    [
      'of no change, with a change',
      { paper: 0, ours: [9, 6, 12], claim: { of: 'no change', margin: 4 } },
      'contradicts',
    ],
    ['below a bound', { paper: 5, level: true, ours: [3, 2, 4], claim: { of: 'at most' } }, 'holds'],
    ['above a bound', { paper: 5, level: true, ours: [7, 6, 8], claim: { of: 'at most' } }, 'contradicts'],
    [
      'with a number in its interval',
      { paper: 'holds it', ours: [3, 2, 6], claim: { of: 'within', number: 5 } },
      'holds',
    ],
    ['without it', { paper: 'holds it', ours: [3, 2, 4], claim: { of: 'within', number: 5 } }, 'contradicts'],
    [
      'of less, where the paper has a number',
      { paper: -80, ours: [-4, -5, -3], claim: { of: 'less' } },
      'direction only',
    ],
    [
      'of less, where the paper has one in another unit',
      { paper: '-0.07%', ours: [-4, -5, -3], claim: { of: 'less' } },
      'direction only',
    ],
    ['that is only shown', { paper: 5, ours: [5, 4, 6], claim: null }, null],
    ['without a number of ours', { paper: 5 }, null],
  ])('%s', (_, given, outcome) => {
    expect(judgeRow(row(given))).toBe(outcome);
  });
});

it.each<[string | null, Partial<Row>]>([
  // The margin is a quarter of 60.
  ['sign and size, give or take 15 points', { paper: -60, ours: [-50, -70, -30] }],
  ['size, give or take 5 points', { paper: 80, level: true, ours: 85, claim: { of: 'size', margin: 5 } }],
  [
    'no change, give or take 0.1 dB',
    { unit: 'dB', ours: [0, -1, 1], claim: { of: 'no change', margin: 0.1 } },
  ],
  ['sign: below 0', { paper: 'lower', ours: [-3, -4, -2], claim: { of: 'less' } }],
  ['sign: above 0', { paper: 'higher', ours: 3, claim: { of: 'more' } }],
  ["at most the paper's number", { paper: 5, ours: 3, claim: { of: 'at most' } }],
  ['interval contains 5%', { paper: 'holds it', ours: [3, 2, 6], claim: { of: 'within', number: 5 } }],
  [null, { paper: 5, ours: [5, 4, 6], claim: null }],
  [null, { paper: 5 }],
])('a row states its comparison: %s', (words, given) => {
  expect(claimWords(row(given))).toBe(words);
});

describe('an exhibit', () => {
  const [holds, direction, contradicts, unclear, shown] = [
    { paper: -60, ours: [-60, -70, -50] },
    { paper: -60, ours: [-30, -40, -20] },
    { paper: -60, ours: [30, 20, 40] },
    { paper: -60, ours: [-30, -70, 10] },
    { paper: 'a picture', ours: 'a picture' },
  ].map((given) => row(given as Partial<Row>));
  it.each([
    ['holds', [holds, holds, shown]],
    ['direction only', [holds, direction]],
    ['direction only', [holds, row({ paper: 'lower', claim: { of: 'less' } })]],
    ['direction only', [holds, unclear]],
    ['contradicts', [holds, holds, contradicts]],
    ['cannot tell', [unclear, unclear]],
    ['not compared', [shown]],
    ['not built', [row({ paper: 5 })]],
    ['not built', []],
  ])('%s', (verdict, rows) => {
    expect(judgeExhibit({ rows: rows as Row[] })).toBe(verdict);
  });

  it('is not compared if it is an illustration', () => {
    expect(judgeExhibit(outline('Figure 1', '§1', 'A site.'))).toBe('nothing to compare');
    expect(judgeExhibit(notBuilt('Figure 2', '§2', 'A test.', 'Not yet.'))).toBe('not built');
  });
});
