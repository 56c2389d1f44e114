import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { single } from '../../studies/sessions/single.ts';
import { readArms } from './read-tuned.ts';
import { armFromTuned } from './tuned.ts';

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'arms-')), 'arms.json');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true }));

const write = (...arms: readonly unknown[]) => writeFileSync(file, JSON.stringify({ arms }));
const lean = { name: 'search-lean', about: 'trial 7', options: { c0: 1.5, beta: 0.9 } };
const planned = { name: 'search-planned', about: 'trial 8', options: {}, smooth: { reserve_s: 9 } };

describe('readArms', () => {
  it('reads listed arms, all arms of a file, or one of them', () => {
    write(lean, planned);
    expect(readArms(['dashjs', `sammy-paper@${file}`]).names).toEqual([
      'dashjs',
      'search-lean',
      'search-planned',
    ]);
    const { names, tuned } = readArms([`initial-only@${file}#search-lean`]);
    expect(names).toEqual(['search-lean']);
    expect(tuned).toEqual([{ ...lean, base: 'initial-only' }]);
  });

  it('takes all other settings from the base', () => {
    write(lean, planned);
    const [one, other] = readArms([`sammy-paper@${file}`]).tuned.map(armFromTuned);
    expect(one).toMatchObject({ name: 'search-lean', sammy: { c0: 1.5, c1: 2.8, beta: 0.9 } });
    expect(other?.sammy.pace).toMatchObject({ name: 'smooth' });
  });

  it('stores tuned arms in the settings of an experiment, and resumes with them', () => {
    write(lean);
    const { settings, runs } = single.plan({ arms: ['dashjs', `sammy-paper@${file}`], runs: 1 });
    expect(settings.arms).toEqual(['dashjs', 'search-lean']);
    expect(runs.map(({ cell }) => cell)).toEqual(['dashjs', 'search-lean']);
    const again = single.plan({ runs: 2 }, JSON.parse(JSON.stringify(settings)) as typeof settings).settings;
    expect({ ...again, runs: 1 }).toEqual(settings);
    expect(single.plan({ arms: ['dashjs'] }, settings).settings.tuned).toBeUndefined();
  });

  it.each([
    [{ ...lean, options: { c0: 900 } }, /arms\.json: option c0 is 900, expected a number from 0\.1 to 100/],
    [{ ...lean, options: { cx: 1 } }, /options has no 'cx'; there are c0, c1, beta/],
    [{ ...lean, options: { c0: '3' } }, /search-lean: options: c0 must be a number, not "3"/],
    [{ ...planned, smooth: { reserve_s: 0 } }, /option reserve_s is 0, expected a number above 0/],
    [{ ...lean, name: 'sammy-paper' }, /'sammy-paper' must be .* and not the name of an arm of the lab/],
    [{ ...lean, name: '../x' }, /'\.\.\/x' must be lower-case letters/],
    [7, /an arm must be an object, not 7/],
  ])('refuses %j in one line', (arm, message) => {
    write(arm);
    expect(() => readArms([`sammy-paper@${file}`])).toThrow(message);
  });

  it('refuses missing files and arms, and two arms with the same name', () => {
    write(lean);
    expect(() => readArms(['samy'])).toThrow("no arm 'samy'");
    expect(() => readArms([`samy@${file}`])).toThrow("no arm 'samy'");
    expect(() => readArms(['sammy-paper@/nowhere.json'])).toThrow('--arms: there is no /nowhere.json');
    expect(() => readArms([`sammy-paper@${file}#fast`])).toThrow(/no arm 'fast'; there are search-lean/);
    expect(() => readArms([`sammy-paper@${file}`, `sammy-paper@${file}`])).toThrow("two arms 'search-lean'");
  });
});
