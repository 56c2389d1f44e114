import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { merge } from '../../harness/runs/merge.ts';
import { conclude, conclusionLines, formatSentence, type Conclusion } from './conclusion.ts';
import { main } from './command.ts';
import { finishedConfirmation } from './confirmation.ts';
import { readProtocol, type Protocol } from './protocol.ts';
import { recordPlay, requireRegistered } from './registered.ts';
import type * as UsedTraces from './used-traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'confirm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const used = join(folder, 'used-traces.json');
writeFileSync(used, '[]');
vi.mock('./used-traces.ts', async (load) => {
  const { findUsed, noteUsed } = await load<typeof UsedTraces>();
  return {
    findUsed: (traces: Parameters<typeof findUsed>[0]) => findUsed(traces, used),
    noteUsed: (traces: Parameters<typeof noteUsed>[0]) => noteUsed(traces, used),
  };
});
const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});

/** A set with a drawn network, and a set with two networks from a file, of 20 and 8 Mbit/s. */
const PROTOCOL: Protocol = {
  version: 1,
  name: 'test-1',
  question: 'Is it told what was found?',
  sets: {
    drawn: { about: 'drawn', sha256: null, drawn: { count: 1, seed: 90_210, mean_mbps: [1, 10] } },
    own: { about: 'of a file', sha256: null },
  },
  places: { per_trace: 1, seed: 3, seconds: 5 },
  arms: ['dashjs', 'lowest'],
  claims: [
    {
      ...{ sets: ['drawn', 'own'], arm: 'lowest', against: 'dashjs', metric: 'mean_ssim_db' },
      ...{ difference: 'below', bound: 0 },
    },
  ],
  error_rate: 0.025,
  multiplicity: 'holm',
  stopping: 'all-sessions',
};
const traces = (...mbps: number[]) =>
  mbps.map((each) => JSON.stringify({ name: `at-${each}`, periods: [[60_000, each * 1000, 40]] })).join('\n');

function written(name: string, protocol: unknown = PROTOCOL): string {
  const file = at(name);
  writeFileSync(file, JSON.stringify(protocol));
  return file;
}

describe('a protocol', () => {
  it.each<[object, RegExp]>([
    [{ version: 2 }, /version is 2, expected one of 1$/],
    [{ name: 'a/b' }, /name is 'a\/b'/],
    [{ arms: ['dashjs', 'hib'] }, /no arm 'hib'/],
    [{ error_rate: 5 }, /error_rate is 5/],
    [{ stoping: 'all-sessions' }, /a protocol has an unknown field 'stoping'/],
    [{ stopping: 'when it suits' }, /stopping is "when it suits"/],
    [{ multiplicity: 'none' }, /multiplicity is "none"/],
    [{ sets: {} }, /sets is empty/],
    [{ sets: { own: { about: 'x', sha256: 'abc' } } }, /set own: sha256 is 'abc'/],
    [{ places: { per_trace: 0, seed: 1, seconds: 8 } }, /per_trace is 0, expected a whole number from 1/],
    [{ claims: [] }, /claims: 0 on all sets together/],
    [{ claims: [{ ...PROTOCOL.claims[0], sets: ['other'] }] }, /claim 1: a set is "other"/],
    [{ claims: [{ ...PROTOCOL.claims[0], arm: 'sammy-paper' }] }, /claim 1: arm is "sammy-paper"/],
    [{ claims: [{ ...PROTOCOL.claims[0], metric: 'stalls' }] }, /claim 1: metric is "stalls"/],
  ])('is refused with %j', (change, message) => {
    expect(() => readProtocol(written('bad.json', { ...PROTOCOL, ...change }))).toThrow(message);
  });
});

describe('confirm', () => {
  const file = at('test.json');
  const own = at('own.jsonl');
  const out = at('whole');
  const given = ['--traces', `own=${own}`];

  beforeAll(async () => {
    written('test.json');
    writeFileSync(own, traces(20, 8));
    await expect(main([file, ...given, '--out', out])).rejects.toThrow(
      /test\.json is not registered; add --register/,
    );
    await main([file, ...given, '--register']);
    await main([file, ...given, '--out', out]);
  }, 60_000);

  it('plays every arm by dash.js itself, and reports the results by trace', () => {
    const { sessions, hypotheses, sentences } = conclude(out) as Conclusion;
    expect(sessions).toBe(6);
    expect(JSON.parse(readFileSync(join(out, 'confirmation.json'), 'utf8'))).toEqual(conclude(out));
    const [, onOwn] = hypotheses;
    expect(onOwn).toMatchObject({ set: 'own', traces: 2, left_out: 0, ci95: null, p: 1, is_shown: false });
    // The top rung has an SSIM of 22.9 dB, the lowest rung 12.5 dB.
    expect(onOwn?.mean_difference).toBeLessThan(-5);
    expect(sentences[1]).toMatch(/^On own, lowest has \d+\.\d\d dB less SSIM than dashjs \(.*; NOT shown: /);
    const [run] = hypotheses.length > 0 ? readRun('lowest') : [];
    expect(run).toMatchObject({ viewers: 'page', simulated: true });
  });

  const readRun = (arm: string): unknown[] => [
    JSON.parse(
      readFileSync(join(out, 'runs', `${arm}@own.own-at-20-at-${place()}`, '1', 'session.json'), 'utf8'),
    ),
  ];
  const place = () => {
    const { experiment } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
      experiment: { conditions: { name: string }[] };
    };
    const { name = '' } = experiment.conditions.find((each) => each.name.startsWith('own.own-at-20')) ?? {};
    return name.slice('own.own-at-20-at-'.length);
  };

  it('resumes an interrupted play, and concludes nothing before the last session', async () => {
    const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { plan: string[] };
    const before = conclude(out) as Conclusion;
    rmSync(join(out, 'runs', manifest.plan.at(-1) ?? ''), { recursive: true });
    expect(conclusionLines(out)).toEqual([
      '5 of 6 sessions are played; the protocol concludes nothing before the last',
    ]);
    await main([file, ...given, '--out', out, '--resume']);
    expect((conclude(out) as Conclusion).hypotheses).toEqual(before.hypotheses);
  });

  it('mentions the error rate once', () => {
    const text = conclusionLines(out).join(' ');
    expect(text.match(/error rate of 2\.5% for all together/g)).toHaveLength(1);
    expect(text).not.toContain('Seen before');
  });

  it('warns in every sentence of a second play that its networks were seen before', async () => {
    await main([file, ...given, '--out', at('again')]);
    const { seen, sentences } = conclude(at('again')) as Conclusion;
    expect(seen).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences)
      expect(sentence).toMatch(/^Seen before, first played on \d{4}-\d\d-\d\d: On (?:drawn|own), /);
  }, 60_000);

  it('refuses code that differs from the registered code, and a registration without code', () => {
    const protocol = readProtocol(file);
    expect(() => requireRegistered(file, protocol, 'f'.repeat(64))).toThrow(
      /^the code is f{12}, and protocol 'test-1' was registered with \w{12}; play it on the commit/,
    );
    const list = join(folder, 'registered.json');
    const before = readFileSync(list, 'utf8');
    const without = JSON.parse(before) as Record<string, object>;
    writeFileSync(list, JSON.stringify({ 'test-1': { ...without['test-1'], code: null } }));
    expect(() => requireRegistered(file, protocol)).toThrow(
      /^protocol 'test-1' was registered without its code;/,
    );
    writeFileSync(list, before);
  });

  it('refuses to register networks that another protocol draws', async () => {
    const drawing = (mean_mbps: [number, number], seed = 90_210) => ({
      ...PROTOCOL,
      name: 'test-2',
      sets: { mine: { about: 'drawn', sha256: null, drawn: { count: 1, seed, mean_mbps } } },
      claims: [{ ...PROTOCOL.claims[0], sets: ['mine'] }],
    });
    const list = join(folder, 'registered.json');
    const before = readFileSync(list, 'utf8');
    // Registered protocols are found by name, as in the repository.
    written('test-1.json', readProtocol(file));
    await expect(main([written('test-2.json', drawing([5, 20])), '--register'])).rejects.toThrow(
      "set 'mine' draws networks of protocol 'test-1' (the same generator and seed 90210); choose another seed",
    );
    // A protocol with another band, or with another seed, shares no network.
    await main([written('test-2.json', drawing([10, 20])), '--register']);
    rmSync(at('test-2.json'));
    writeFileSync(list, before);
    await main([written('test-2.json', drawing([5, 20], 7)), '--register']);
    rmSync(at('test-2.json'));
    writeFileSync(list, before);
  });

  it('refuses to register the traces of another protocol, also from another folder', async () => {
    const list = join(folder, 'registered.json');
    const before = readFileSync(list, 'utf8');
    written('test-1.json', readProtocol(file));
    const same = written('test-3.json', {
      ...PROTOCOL,
      name: 'test-3',
      sets: { again: { about: 'of a file', sha256: null } },
      claims: [{ ...PROTOCOL.claims[0], sets: ['again'], bound: 1 }],
    });
    await expect(main([same, '--traces', `again=${own}`, '--register'])).rejects.toThrow(
      "set 'again' has the traces of protocol 'test-1'; choose others",
    );
    const { sets } = readProtocol('emulation/studies/confirm/protocols/default-markov-1.json');
    const [seen] = Object.values(sets).flatMap((set) => (set.drawn ? [set.drawn] : []));
    const copied = written('test-4.json', {
      ...PROTOCOL,
      name: 'test-4',
      sets: { mine: { about: 'drawn', sha256: null, drawn: { ...seen, count: 1 } } },
      claims: [{ ...PROTOCOL.claims[0], sets: ['mine'] }],
    });
    await expect(main([copied, '--register'])).rejects.toThrow(
      /^set 'mine' draws networks of protocol 'default-markov-1'/,
    );
    writeFileSync(list, before);
  });

  it('confirms nothing with traces that a rehearsal has played', async () => {
    const list = join(folder, 'registered.json');
    const before = readFileSync(list, 'utf8');
    const fresh = at('fresh.jsonl');
    writeFileSync(fresh, traces(7));
    const protocol = written('test-5.json', {
      ...PROTOCOL,
      name: 'test-5',
      sets: { fresh: { about: 'of a file', sha256: null } },
      claims: [{ ...PROTOCOL.claims[0], sets: ['fresh'] }],
    });
    const withTraces = [protocol, '--traces', `fresh=${fresh}`];
    await main([...withTraces, '--rehearse', '--out', at('rehearsed')]);
    expect(printed[0]).toBe(
      '1 of 1 traces are new in the list of those used: a rehearsal shows the result, so no protocol may be registered or played with them; commit the list',
    );
    await expect(main([...withTraces, '--register'])).rejects.toThrow(
      "set 'fresh': 1 of its 1 traces were used to choose constants or in a rehearsal, such as fresh-at-7",
    );
    writeFileSync(used, '[]');
    writeFileSync(list, before);
  }, 60_000);

  it('formats a difference in switches', () => {
    const { hypotheses } = conclude(out) as Conclusion;
    const sentences = hypotheses.map((each) =>
      formatSentence({ ...each, metric: 'switches', mean_difference: -0.93 }, undefined),
    );
    expect(sentences[0]).toContain('lowest has 0.93 fewer switches of rung than dashjs');
  });

  it('gives the same result in shards, which conclude nothing alone', async () => {
    const shards = [at('one'), at('two')];
    for (const [index, shard] of shards.entries())
      await main([file, ...given, '--out', shard, '--shard', `${index + 1}/2`]);
    expect(printed.at(-1)).toMatch(/^2 of 6 sessions are played/);
    const outDir = at('merged');
    const merging = { folders: shards, outDir, command: 'merge', mixedCommits: false };
    const { missing } = await merge({ ...merging, findStudy: () => finishedConfirmation });
    expect(missing).toEqual([]);
    expect((conclude(outDir) as Conclusion).hypotheses).toEqual((conclude(out) as Conclusion).hypotheses);
  }, 60_000);

  it('refuses a changed protocol under a registered name, in every command', async () => {
    const registered = readProtocol(file);
    const changed = { ...registered, places: { ...registered.places, seconds: 9 } };
    const other = written('test.json', changed);
    try {
      const message = /^protocol 'test-1' was registered on \d{4}-\d\d-\d\d as \w{12}, but is now \w{12}; /;
      await expect(main([other, ...given, '--out', at('other')])).rejects.toThrow(message);
      await expect(main([other, ...given, '--register'])).rejects.toThrow(message);
      await expect(main([other, ...given, '--rehearse', '--out', out, '--resume'])).rejects.toThrow(
        /the folder has sessions of protocol \w{12}, and this is \w{12}; choose another --out$/,
      );
    } finally {
      written('test.json', registered);
    }
  });

  it('refuses traces that differ from the registered ones', async () => {
    const others = at('others.jsonl');
    writeFileSync(others, traces(20, 8.1));
    await expect(main([file, '--traces', `own=${others}`, '--out', at('other')])).rejects.toThrow(
      /^set 'own' has the hash \w{12}, but its protocol has \w{12}: the traces differ$/,
    );
    await expect(main([file, '--traces', `drawn=${own}`])).rejects.toThrow(/has no set 'drawn' that comes/);
    await expect(main([file])).rejects.toThrow(/^--traces: expected own=FILE for the set 'own'$/);
  });

  it('reports that a rehearsal, changed code, or uncommitted code confirms nothing', () => {
    const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
      experiment: object;
    };
    const concludeVoid = (change: object) => {
      writeFileSync(join(out, 'manifest.json'), JSON.stringify({ ...manifest, ...change }));
      return (conclude(out) as Conclusion).void;
    };
    expect(concludeVoid({ commit: 'abc' })).toBeNull();
    expect(concludeVoid({ commit: 'abc, then def' })).toMatch(/changed while/);
    expect(concludeVoid({ commit: 'abc, with changes' })).toMatch(/in no commit/);
    expect(concludeVoid({ commit: 'abc', experiment: { ...manifest.experiment, rehearsal: true } })).toMatch(
      /rehearsal/,
    );
    expect(conclusionLines(out)[1]).toMatch(/^NOT A CONFIRMATION: /);
    writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
  });
});

it('counts the shards of a play as one play, each once', () => {
  const beside = at('parts.json');
  const entry = { sha256: '0', registered: '2026-01-01T00:00:00Z', code: null, plays: [] };
  const list = join(folder, 'registered.json');
  const before = readFileSync(list, 'utf8');
  writeFileSync(list, JSON.stringify({ parts: entry }));
  const played = (shard?: string) => recordPlay(beside, 'parts', shard, new Date('2026-01-02T03:04:05Z'));
  expect([played('1/2'), played('2/2')]).toEqual([null, null]);
  expect([played('1/2'), played('1/3'), played()]).toEqual(Array(3).fill('2026-01-02T03:04:05.000Z'));
  writeFileSync(list, before);
});
