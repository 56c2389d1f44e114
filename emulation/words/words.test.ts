import { describe, expect, it } from 'vitest';
import { wholeNumber } from './values.ts';
import { firstSubject, wordsOf } from './words.ts';

const words = wordsOf({
  action: 'run',
  takes: 'EXPERIMENT [options]',
  about: 'Makes runs.',
  subjects: 1,
  options: {
    runs: { of: 'N', about: 'of each arm' },
    rtt: { of: 'MS', about: 'of the link' },
    out: { of: 'DIR', about: 'where the results go' },
    resume: { about: 'goes on' },
  },
});
const asWords = (line: string) => line.split(' ').filter((word) => word !== '');
const read = (line: string) => words.read(asWords(line));

describe('wordsOf', () => {
  it('reads subjects and options, and tells the command as it was written', () => {
    expect(read('')).toEqual({ subjects: [], values: {}, command: 'npm run lab -- run' });
    expect(read('single --runs 4 --resume')).toEqual({
      subjects: ['single'],
      values: { runs: '4', resume: true },
      command: 'npm run lab -- run single --runs 4 --resume',
    });
  });

  it('takes a negative number as a value', () => {
    expect(read('single --rtt -1').values).toEqual(read('single --rtt=-1').values);
  });

  it.each([
    ['single --quick', /^run has no --quick; it has --runs, --rtt, --out, --resume$/],
    ['single -q', /^run has no -q; it has /],
    ['single networks', /^unexpected argument 'networks'; npm run lab -- run --help$/],
    ['single --out=', /^--out is empty; npm run lab -- run --help$/],
    ['single --runs', /^Option '--runs <value>' argument missing; npm run lab -- run --help$/],
    ['single --resume=yes', /^Option '--resume' does not take an argument; npm run lab -- run --help$/],
  ])('refuses %j', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it('says that there are no options', () => {
    const none = wordsOf({ action: 'doctor', about: '', options: {} });
    expect(() => none.read(['--quick'])).toThrow(/^doctor has no --quick; it has no options$/);
    expect(() => none.read(['single'])).toThrow(/^unexpected argument 'single'/);
  });

  it('has a page of every option', () => {
    expect(words.help).toBe(
      [
        ...['npm run lab -- run EXPERIMENT [options]', '', 'Makes runs.', ''],
        ...['  --runs N   of each arm', '  --rtt MS   of the link', '  --out DIR  where the results go'],
        '  --resume   goes on',
      ].join('\n'),
    );
  });

  it('breaks long lines of it', () => {
    const about = Array.from({ length: 40 }, () => 'some words').join(' ');
    const { help } = wordsOf({ action: 'x', about, options: { y: { of: 'N', about } } });
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
    expect(help.replaceAll(/\s+/g, ' ')).toBe(`npm run lab -- x [options] ${about} --y N ${about}`);
  });
});

describe('firstSubject', () => {
  it.each([
    ['single --runs 3', 'single'],
    ['--runs 3 single', 'single'],
    ['--resume single', 'single'],
    ['--unknown', undefined],
  ])('of %j is %j', (line, subject) => {
    expect(firstSubject(asWords(line), words.options)).toBe(subject);
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
