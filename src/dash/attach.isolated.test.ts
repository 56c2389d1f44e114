import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SegmentSizes } from '../film/segments.ts';
import type { AttachOptions } from '../host/handle.ts';
import { attachSammy, type AbrAlgorithm, type AbrState, type PacePolicy } from '../index.ts';
import type { SessionSummary } from '../session/summary.ts';
import { attach, createFakePlayer } from './testing/player.ts';

const sidecar: SegmentSizes = { upcoming: () => undefined };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a sidecar', () => {
  it('is dropped when its source ends', () => {
    const { player, fire } = createFakePlayer();
    const handle = attach(player, { sidecar });
    // dash.js also fires this event before the first source, which does not end a session.
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBe(sidecar);
    fire('manifestLoadingStarted');
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBeUndefined();
    handle.update({ sidecar });
    expect(handle.options.sidecar).toBe(sidecar);
    handle.update({ sidecar: undefined });
    expect(handle.options.sidecar).toBeUndefined();
  });

  it('is dropped with its source even if Sammy was attached after the manifest was loaded', async () => {
    const { player, fire, segment } = createFakePlayer();
    const handle = attach(player, { sidecar });
    await segment(100);
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBeUndefined();
  });
});

describe('a source of segment sizes', () => {
  it('is dropped when its source ends', () => {
    const { player, fire } = createFakePlayer();
    const handle = attach(player, { sizes: { upcoming: () => [] }, sidecar });
    fire('manifestLoadingStarted');
    handle.update({ c0: 3 });
    expect(handle.options).toMatchObject({ sizes: expect.anything() as object, sidecar });
    fire('streamTeardownComplete');
    expect(handle.options.sizes).toBeUndefined();
    expect(handle.options.c0).toBe(3);
  });
});

describe('what is buffered', () => {
  it('is replaced on a switch up only if the latest downloads were fast enough, and detach restores the setting', async () => {
    const { player, settings, fire, buffered, chooseRung, segment } = createFakePlayer();
    const { buffer } = settings.streaming;
    const handle = attach(player);
    fire('manifestLoadingStarted');
    buffered.seconds = 4;
    // No fast switch before the first download. Then 2000 kbit arrive in 0.4 s: 5000 kbit/s are over 1.5 times the
    // bitrate of 1000 kbit/s.
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    await segment(400);
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(true);
    // 2000 kbit in 2 s are only as fast as playback.
    await segment(2000);
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    // For the next source, the fast switch is allowed again.
    fire('streamTeardownComplete');
    expect(buffer.fastSwitchEnabled).toBe(true);
    buffered.seconds = 5;
    chooseRung();
    handle.update({ abr: 'player' });
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(true);
    handle.update({ abr: 'hyb' });
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    handle.detach();
    expect(buffer.fastSwitchEnabled).toBe(true);
  });

  it("has dash.js's setting again after an algorithm detaches while it chooses", () => {
    const { player, settings, chooseRung } = createFakePlayer({ bitrates_kbps: [1000, 2000] });
    const abr: AbrAlgorithm = {
      name: 'leaves',
      session: () => ({
        choose: ({ ladder }) => {
          handle.detach();
          return { rung: ladder[0], reason: 'last' };
        },
        requiredThroughput: (_, { bitrate_kbps }) => bitrate_kbps,
      }),
    };
    const handle = attach(player, { abr });
    chooseRung();
    expect(settings.streaming.buffer.fastSwitchEnabled).toBe(true);
    expect(player.getABRCustomRules()).toEqual([]);
  });
});

describe('an application that', () => {
  it('resets the player and uses it again still has Sammy', async () => {
    const { player, fire, reset, segment } = createFakePlayer();
    const handle = attach(player);
    fire('manifestLoadingStarted');
    await segment(100);
    reset();
    await Promise.resolve();
    fire('manifestLoadingStarted');
    await segment(100);
    expect(handle.decisions).toHaveLength(1);
    reset();
    handle.detach();
    await Promise.resolve();
    expect(player.getABRCustomRules()).toEqual([]);
  });

  it('attaches twice is refused until it detaches; a second detach does nothing', async () => {
    const { player, settings, fire, segment } = createFakePlayer();
    const handle = attach(player);
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    expect(() => attach(player)).toThrow('call detach() first');
    fire('manifestLoadingStarted');
    await segment(100);
    handle.detach();
    handle.detach();
    await Promise.resolve();
    expect(summaries).toMatchObject([{ segments: 1 }]);
    const next = attach(player);
    // The first handle does not affect the second attachment.
    handle.detach();
    handle.update({ beta: 0.1 });
    expect(player.getABRCustomRules()).toHaveLength(2);
    expect(settings.streaming.abr.initialBitrate.video).toBe(800);
    await segment(100);
    expect(next.decisions).toHaveLength(1);
    expect(handle.decisions).toHaveLength(1);
  });

  it('detaches is not called by a rule that dash.js still has', () => {
    const { player, rule, chooseRung } = createFakePlayer({ bitrates_kbps: [1000, 2000] });
    const handle = attach(player);
    const kept = rule();
    expect(chooseRung(kept)).toMatchObject({ reason: { rule: 'SammyRule' } });
    handle.detach();
    expect(chooseRung(kept)).toMatchObject({ representation: null, reason: null });
  });

  it('changes options after a detach does not change dash.js', () => {
    const { player, settings } = createFakePlayer();
    const before = structuredClone(settings);
    const handle = attach(player);
    handle.detach();
    handle.update({ beta: 0.5 });
    expect(settings).toEqual(before);
  });

  it('changes options or detaches in a listener sees the effect from the next request on', async () => {
    const { player, fire, segment } = createFakePlayer();
    const handle = attach(player, { c0: 3, c1: 3, sidecar });
    const asked: unknown[] = [];
    handle.on('request', ({ requested_kbps }) => {
      asked.push(requested_kbps);
      handle.update({ pacing: asked.length > 1 });
    });
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    handle.on('decision', ({ sequence }) => {
      if (sequence === 2) handle.detach();
    });
    fire('manifestLoadingStarted');
    fire('playbackPlaying');
    // The pace is three times the only rung of 1000 kbit/s.
    for (const start of [10, 12, 14, 16]) await segment(100, start);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([3000, null, 3000]);
    expect(summaries).toMatchObject([{ segments: 3 }]);
    expect(player.getABRCustomRules()).toEqual([]);
  });

  it('changes options often writes no rule setting, which would make dash.js add all rules again', () => {
    const { player, touched } = createFakePlayer();
    const handle = attach(player);
    const before = touched.rules;
    for (const c0 of [2, 3, 4]) handle.update({ c0 });
    expect(touched.rules).toBe(before);
  });

  it('attaches Sammy during playback gets paced segments from then on, and no play delay', () => {
    const { player, fire } = createFakePlayer({ currentTime: 12 });
    const handle = attach(player);
    expect(handle.phase).toBe('playing');
    fire('playbackPlaying');
    expect(handle.summary?.play_delay_ms).toBeNull();
  });

  it('changes the source during a stall gets the stall counted', async () => {
    const { player, fire } = createFakePlayer();
    const handle = attach(player);
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    for (const event of ['manifestLoadingStarted', 'playbackPlaying', 'playbackWaiting']) fire(event);
    vi.advanceTimersByTime(20_000);
    fire('streamTeardownComplete');
    await Promise.resolve();
    expect(summaries).toMatchObject([{ rebuffer_count: 1, rebuffer_ratio: 1 }]);
  });
});

describe("an application's object that fails", () => {
  const createAlgorithm = (session: object): AbrAlgorithm =>
    ({
      name: 'theirs',
      session: () => ({
        choose: ({ ladder }: AbrState) => ({ rung: ladder[0], reason: 'theirs' }),
        requiredThroughput: () => 0,
        ...session,
      }),
    }) as unknown as AbrAlgorithm;
  const throws = () => {
    throw new Error('not mine');
  };
  const attached = (options: AttachOptions) => {
    const fake = createFakePlayer({ bitrates_kbps: [1000, 2000] });
    const handle = attach(fake.player, options);
    const warnings: string[] = [];
    handle.on('warning', ({ code, message }) => warnings.push(`${code}: ${message}`));
    fake.fire('manifestLoadingStarted');
    return { ...fake, handle, warnings };
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it.each<[string, object, string]>([
    ['choose throws', { choose: throws }, 'not mine'],
    ['choose returns nothing', { choose: () => undefined }, "the algorithm's choice is undefined"],
    ['choose is async', { choose: () => Promise.resolve({}) }, "the algorithm's choice is undefined"],
    [
      'choose returns another rung',
      { choose: () => ({ rung: { id: 'z' } }) },
      "the algorithm's choice is 'z'",
    ],
    ['observe throws', { observe: throws }, 'not mine'],
    ['requiredThroughput throws', { requiredThroughput: throws }, 'not mine'],
    [
      'requiredThroughput returns NaN',
      { requiredThroughput: () => NaN },
      "the algorithm's throughput is NaN",
    ],
    [
      'requiredThroughput returns a text',
      { requiredThroughput: () => '5' },
      "the algorithm's throughput is '5'",
    ],
  ])(
    'an algorithm whose %s: dash.js chooses the rungs from then on, and Sammy paces',
    async (_, session, message) => {
      const { handle, warnings, fire, chooseRung, segment, settings } = attached({
        abr: createAlgorithm(session),
      });
      fire('playbackSeeking');
      chooseRung();
      await settle();
      expect(warnings).toMatchObject([expect.stringContaining(`sammy-failed: ${message}`)]);
      expect(handle.options.abr).toBe('player');
      // dash.js's own settings, including those of its rules, are restored.
      expect(settings.streaming.abr.initialBitrate.video).toBe(-1);
      expect(chooseRung()).toMatchObject({ representation: null });
      fire('playbackPlaying');
      expect(await segment(100, 12)).toContain('rtp');
      expect(handle.decisions).toMatchObject([{ abr_reason: 'player' }]);
      expect(warnings).toHaveLength(1);
    },
  );

  it.each<[string, () => unknown]>([
    ['throws', throws],
    ['returns nothing', () => undefined],
  ])('a pace policy that %s: the default paces from the next request on', async (_, choosePace) => {
    const policy = { name: 'theirs', choosePace } as unknown as PacePolicy;
    const { handle, warnings, fire, segment } = attached({ pace: policy });
    fire('playbackPlaying');
    expect(await segment(100, 10)).not.toContain('rtp');
    expect(await segment(100, 12)).toContain('rtp');
    expect(handle.options.pace).toBe('adaptive');
    expect(warnings).toHaveLength(1);
  });

  it('sizes that throw are not used again', async () => {
    const { handle, chooseRung, segment, fire } = attached({ sizes: { upcoming: throws } });
    chooseRung();
    fire('playbackPlaying');
    expect(await segment(100, 12)).toContain('rtp');
    expect(handle.options).toMatchObject({ abr: 'player', sizes: undefined });
  });

  it('an algorithm that fails to open a session for the next source does not stop that source', async () => {
    let ended = false;
    const algorithm = createAlgorithm({});
    const abr: AbrAlgorithm = {
      ...algorithm,
      session: (options) => (ended ? throws() : algorithm.session(options)),
    };
    const { handle, warnings, fire } = attached({ abr });
    ended = true;
    fire('streamTeardownComplete');
    await settle();
    expect(warnings).toEqual(['sammy-failed: not mine']);
    expect(handle.options.abr).toBe('player');
  });

  it('a dash.js ABR controller without the needed method: dash.js chooses, and Sammy paces', async () => {
    const { handle, warnings, fire, chooseRung, segment, abrController } = attached({});
    delete abrController.getPossibleVoRepresentationsFilteredBySettings;
    expect(chooseRung()).toMatchObject({ representation: null });
    await settle();
    expect(handle.options.abr).toBe('player');
    fire('playbackPlaying');
    expect(await segment(100, 12)).toContain('rtp');
    expect(warnings).toMatchObject([expect.stringContaining('sammy-failed: ')]);
  });
});

describe('attachSammy refuses', () => {
  it.each<[string, unknown, string]>([
    ['options that are no object', 5, 'options is 5, expected an object'],
    ['no options at all', null, 'options is null, expected an object'],
    [
      "the browser's own storage",
      { storage: {} },
      'option storage is [object Object], expected null or read(), write() and remove()',
    ],
    ['a storage that is no object', { storage: 'local' }, "option storage is 'local'"],
    ['a summary that is no function', { summary: true }, 'option summary is true, expected sessionSummary'],
  ])('%s', (_, options, message) => {
    expect(() => attachSammy(createFakePlayer().player as never, options as AttachOptions)).toThrow(message);
  });

  it('a player to which another copy of the plug-in is attached', () => {
    const { player } = createFakePlayer();
    Object.defineProperty(player, 'dashjs-sammy', { value: true });
    expect(() => attach(player)).toThrow('call detach() first');
  });
});

describe('without the summary option', () => {
  it('collects and reports no summary', async () => {
    const { player, fire, segment } = createFakePlayer();
    const handle = attach(player, { summary: undefined });
    const summaries: unknown[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    fire('manifestLoadingStarted');
    await segment(100);
    expect(handle.summary).toBeNull();
    fire('streamTeardownComplete');
    await Promise.resolve();
    expect(summaries).toEqual([]);
  });
});

describe('a listener that throws', () => {
  it('is reported once, in the console and as a warning, and playback continues', async () => {
    const console_ = vi.spyOn(console, 'error').mockReturnValue();
    const { player, segment } = createFakePlayer();
    const handle = attach(player);
    const warnings: unknown[] = [];
    const mistake = new Error('not mine');
    handle.on('decision', () => {
      throw mistake;
    });
    handle.on('warning', (warning) => {
      warnings.push(warning);
      throw mistake;
    });
    await segment(100);
    await segment(100);
    await vi.advanceTimersByTimeAsync(0);
    expect(handle.decisions).toHaveLength(2);
    // The second error is thrown by the listener to warnings.
    expect(console_.mock.calls).toEqual([[mistake], [mistake]]);
    expect(warnings).toEqual([
      { code: 'listener-failed', message: 'a listener to decision: not mine' },
      { code: 'listener-failed', message: 'a listener to warning: not mine' },
    ]);
  });
});
