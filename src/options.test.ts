import { describe, expect, it } from 'vitest';
import { algorithm1 } from './pace/algorithm-1.ts';
import { hyb } from './abr/hyb.ts';
import { DEFAULTS, resolveOptions } from './options.ts';

/** Resolves any object, as from an application without TypeScript. */
const resolve = (options: object) => resolveOptions(options);

describe('resolveOptions', () => {
  it("defaults to the paper's constants (Sammy §5)", () => {
    expect(resolve({})).toMatchObject({ c0: 3.2, c1: 2.8, pacing: true, abr: 'careful', cmcd: 'query' });
  });

  it.each([
    ['c0', 0.1, 100],
    ['c1', 0.1, 100],
    ['beta', 0.05, 1],
    ['lookahead_s', 1, 120],
    ['safe_buffer_s', 1, 120],
    ['ceiling_kbps', 100, Infinity],
    ['max_bitrate_kbps', 1, Infinity],
    ['default_throughput_kbps', 1, 100_000_000],
  ])('%s is from %d to %d', (name, low, high) => {
    for (const value of [low, high]) expect(resolve({ [name]: value })).toHaveProperty(name, value);
    const wrong = [low - 0.01, ...(high === Infinity ? [] : [high + 0.01]), Number.NaN, -Infinity, '2', null];
    for (const value of wrong) {
      // The message has the option, its value, and the expectation in one line.
      expect(() => resolve({ [name]: value })).toThrow(
        new RegExp(`^option ${name} is '?${String(value)}'?, expected a number from ${low} to ${high}$`),
      );
    }
  });

  it.each([
    [{ pacing: 'yes' }, /^option pacing is 'yes', expected true or false$/],
    [{ pacing: 1 }, /^option pacing is 1, /],
    [{ cmcd: 'json' }, /^option cmcd is 'json', expected 'query' or 'header'$/],
    [
      { abr: 'bola' },
      /^option abr is 'bola', expected 'careful', 'hyb', 'player' or .* in dashjs-sammy\/abr$/,
    ],
    [{ abr: {} }, /^option abr is /],
    [{ abr: null }, /^option abr is null, /],
    [{ abr: 7 }, /^option abr is 7, /],
    [
      { abr: { name: 'half', choose: () => undefined } },
      /^option abr is .*expected 'careful', 'hyb', 'player' or an algorithm with session\(\), as in dashjs-sammy\/abr$/,
    ],
    [
      { pace: 'fast' },
      /^option pace is 'fast', expected 'adaptive', 'sammy' or a policy with choosePace\(\)$/,
    ],
    [{ pace: {} }, /^option pace is /],
    [{ pace: null }, /^option pace is null, /],
    [{ sizes: {} }, /^option sizes is /],
    [{ sidecar: {} }, /^option sidecar is /],
    [
      { sidecar: '/quality.json' },
      /^option sidecar is '\/quality\.json', expected an object with upcoming\(\), as sidecar\(\) gives$/,
    ],
  ])('refuses %j', (options, message) => {
    expect(() => resolve(options)).toThrow(message);
  });

  // Includes options that only attachSammy accepts.
  it.each(['beto', 'C0', 'toString', 'constructor', 'storage', 'summary'])(
    'rejects the unknown option %s',
    (name) => {
      expect(() => resolve({ [name]: 1 })).toThrow(
        new RegExp(`^unknown option ${name}; known: abr, .*, sizes$`),
      );
    },
  );

  it('accepts a custom algorithm', () => {
    const abr = hyb({ beta: 0.5 });
    expect(resolve({ abr }).abr).toBe(abr);
  });

  it('accepts a custom pace policy', () => {
    const pace = algorithm1({ c0: 2, c1: 2 });
    expect(resolve({ pace }).pace).toBe(pace);
  });

  it('keeps options that are missing or undefined', () => {
    const base = resolve({ c0: 1.5, beta: 0.5 });
    expect(resolveOptions({ c1: 1.2 }, base)).toEqual({ ...base, c1: 1.2 });
    expect(resolve({ c0: undefined })).toEqual(DEFAULTS);
  });

  it('removes a sidecar if it is undefined', () => {
    const base = resolve({ sidecar: { upcoming: () => undefined } });
    expect(resolveOptions({ c0: 2 }, base).sidecar).toBe(base.sidecar);
    expect(resolveOptions({ sidecar: undefined }, base).sidecar).toBeUndefined();
  });

  it('does not modify the defaults', () => {
    const before = { ...DEFAULTS };
    resolve({ c0: 9 });
    expect(DEFAULTS).toEqual(before);
    expect(Object.isFrozen(DEFAULTS)).toBe(true);
  });
});
