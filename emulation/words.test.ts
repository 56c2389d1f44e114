import { describe, expect, it } from 'vitest';
import { askedOf, readWords, wholeNumber } from './words.ts';

const words = (line: string) => readWords(line.split(' ').filter((word) => word !== ''));

describe('readWords', () => {
  it('has action, subjects and options', () => {
    expect(words('')).toEqual({ action: 'help', subjects: [], values: {} });
    expect(words('run single --runs 4 --resume')).toEqual({
      action: 'run',
      subjects: ['single'],
      values: { runs: '4', resume: true },
    });
    expect(words('run ab-lab --drop-at tail --burst 7 --buffer 2').values).toEqual({
      ...{ 'drop-at': 'tail', burst: '7', buffer: '2' },
    });
    expect(words('run paper --quick')).toMatchObject({ action: 'run paper', values: { quick: true } });
    expect(words('world --patience endless').values).toEqual({ patience: 'endless' });
    expect(words('world --over tcp --hours 18-23').values).toEqual({ over: 'tcp', hours: '18-23' });
    expect(words('merge a b c --out d').subjects).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['run single --quick', /^run has no --quick; it has --arms, --conditions, /],
    ['run single --log', /^run has no --log/],
    ['run single --drop-at tail', /^run has no --drop-at/],
    ['run single --over tcp', /^run has no --over/],
    ['run paper --runs 2', /^run paper has no --runs; it has --out, --resume, --seed, --quick$/],
    ['run paper --log', /^run paper has no --log/],
    ['report DIR --resume', /^report has no --resume; it has --log$/],
    ['merge a b --runs 3', /^merge has no --runs/],
    ['doctor --quick', /^doctor has no --quick; it has no options$/],
    ['list single', /^unexpected argument 'single'/],
    ['run single networks', /^unexpected argument 'networks'/],
    [
      'runn single',
      /^unknown action 'runn'; known: list, doctor, run, simulate, search, world, trial, validate, export, merge, report/,
    ],
    ['constructor', /^unknown action 'constructor'/],
    ['run single --out=', /^--out is empty/],
    ['run single --bogus', /^Unknown option '--bogus'; npm run lab -- --help$/],
  ])('refuses %j', (line, message) => {
    expect(() => words(line)).toThrow(message);
  });
});

describe('askedOf', () => {
  it('has the words of the link, in their units', () => {
    const line = 'run single --loss 1.5 --jitter 0.5 --mark-above 30 --weights 3,1 --rate poisson:40';
    expect(askedOf(words(line).values)).toMatchObject({
      loss_pct: 1.5,
      jitter_ms: 0.5,
      mark_above_packets: 30,
      weights: [3, 1],
      rate: 'poisson:40',
    });
  });

  it.each([
    ['--rtt -1', "--rtt is '-1', expected a whole number from 0 to 1000000"],
    ['--rtt=-1', "--rtt is '-1'"],
    ['--runs -1', "--runs is '-1', expected a whole number from 1"],
    ['--queue 0', "--queue is '0', expected a whole number from 1504"],
    ['--jitter -0.5', "--jitter is '-0.5', expected ms from 0 to 10000"],
    ['--jitter much', "--jitter is 'much'"],
    ['--loss 11', "--loss is '11', expected % from 0 to 10"],
    ['--loss 1%', "--loss is '1%'"],
    ['--drop-above 0', "--drop-above is '0', expected a whole number from 1"],
    ['--weights 3,0', "--weights is '3,0', expected whole numbers from 1 to 999 such as 3,1"],
    ['--weights 3;1', "--weights is '3;1'"],
  ])('refuses %j', (line, message) => {
    expect(() => askedOf(words(`run single ${line}`).values)).toThrow(message);
  });
});

describe('wholeNumber', () => {
  it.each(['1.5', '', ' 4', 'NaN', '1e3', '0x10', '1000001', '0'])('refuses %j', (runs) => {
    expect(() => wholeNumber({ runs }, 'runs', 1)).toThrow(`--runs is '${runs}', expected a whole number`);
  });

  it('is undefined of what was not given', () => {
    expect(wholeNumber({}, 'runs', 1)).toBeUndefined();
    expect(wholeNumber({ runs: '12' }, 'runs', 1)).toBe(12);
  });
});
