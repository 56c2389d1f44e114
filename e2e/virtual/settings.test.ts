import { describe, expect, it } from 'vitest';
import { isPacedVideo, playVirtually } from './session.ts';

/** For each request for a video segment from `from_s` on, returns whether it asks for a pace. */
const asks = (session: ReturnType<typeof playVirtually>, from_s: number): readonly boolean[] =>
  session.requests.filter(({ at_ms }) => at_ms >= 1000 * from_s).map(({ rtp }) => Number.isFinite(rtp));

describe.each(['5', '4'] as const)('dash.js %s', (version) => {
  it('has all its settings again after a detach, and continues to play without Sammy', () => {
    const session = playVirtually(version, {
      settings: { streaming: { abr: { minBitrate: { video: 200 } } } },
      then: `
        setTimeout(() => {
          seen.during = settings();
          sammy.detach();
          seen.after = settings();
        }, 10_000);
        setTimeout(() => { seen.playhead_s = video.currentTime; attach(); seen.c0 = sammy.options.c0; }, 20_000);`,
    });
    const { before, during, after, playhead_s, c0 } = session.seen;
    expect(during).not.toEqual(before);
    expect(after).toEqual(before);
    expect(asks(session, 0).slice(0, 8)).toContain(true);
    const byItself = session.requests.filter(({ at_ms }) => at_ms > 10_000 && at_ms < 20_000);
    expect(byItself.length).toBeGreaterThan(3);
    expect(byItself.filter(({ rtp }) => Number.isFinite(rtp))).toEqual([]);
    expect(playhead_s).toBeGreaterThan(19);
    // Sammy can be attached again.
    expect(c0).toBe(3.2);
    expect(asks(session, 22)).toContain(true);
    expect([session.page.errors, session.warnings]).toEqual([[], []]);
  });

  it("keeps dash.js's own session id in addition to a pace, because an edge assigns holdouts by it", () => {
    const { requests } = playVirtually(version, {
      settings: { streaming: { cmcd: { enabled: true, enabledKeys: ['sid'] } } },
      seconds: 4,
    });
    const sids = requests.map(({ url }) => /sid="[^"]+"/.exec(decodeURIComponent(url.search))?.[0]);
    expect(sids[0]).toBeDefined();
    expect(new Set(sids).size).toBe(1);
    expect(requests.some(({ rtp }) => Number.isFinite(rtp))).toBe(true);
  });

  it.each([
    ['query', {}],
    ['header', {}],
    ['query', { enabled: true, mode: 'query', enabledKeys: ['sid', 'mtp'] }],
    ['header', { enabled: true, mode: version === '4' ? 'header' : 'headers', enabledKeys: ['sid', 'mtp'] }],
  ])('identifies the plug-in with each pace, in the %s, beside CMCD of the application %o', (mode, cmcd) => {
    const session = playVirtually(version, {
      settings: { streaming: { cmcd } },
      options: `{ cmcd: '${mode}' }`,
    });
    const paced = session.cmcd.filter(({ rtp }) => rtp !== null);
    expect(paced.length).toBeGreaterThan(10);
    for (const { fromPlugin, session: sid } of paced) {
      expect(fromPlugin).toBe(true);
      expect(sid !== null).toBe('enabled' in cmcd);
    }
    // A request has no sum while an unpaced request is in flight, so only the last request is checked.
    expect(paced.at(-1)?.sum).toBeGreaterThan(0);
    expect(session.requests.some(({ url }) => url.search.includes('CMCD'))).toBe(mode === 'query');
    expect([session.page.errors, session.warnings]).toEqual([[], []]);
  });

  it('plays the next source paced too, after a reset()', () => {
    const { decisions, page, warnings } = playVirtually(version, {
      then: `setTimeout(() => {
        decisions.length = 0;
        player.reset();
        player.attachView(video);
        player.attachSource('http://film.example/manifest.mpd');
      }, 10_000);`,
      seconds: 40,
    });
    expect(decisions.find(({ media_type }) => media_type === 'video')).toMatchObject({ phase: 'initial' });
    const paced = decisions.filter(isPacedVideo);
    expect(paced.length).toBeGreaterThan(3);
    for (const { abr_reason } of paced) expect(abr_reason).not.toBe('player');
    expect([page.errors, warnings]).toEqual([[], []]);
  });

  it('lets a listener change options and detach', () => {
    const session = playVirtually(version, {
      then: `
        sammy.on('request', ({ requested_kbps }) => {
          if (requested_kbps !== null) sammy.update({ pacing: false });
        });
        sammy.on('decision', ({ pace_reason }) => {
          if (pace_reason !== 'switched-off') return;
          sammy.detach();
          seen.decisions = decisions.length;
          seen.after = settings();
        });`,
    });
    const { before, after, decisions } = session.seen;
    expect(after).toEqual(before);
    expect(session.decisions).toHaveLength(Number(decisions));
    expect(asks(session, 0).filter(Boolean)).toHaveLength(1);
    expect(asks(session, 0).slice(-4)).toEqual([false, false, false, false]);
    expect([session.page.errors, session.warnings]).toEqual([[], []]);
  });

  it("uses dash.js's own rules after an algorithm has thrown, and Sammy paces", () => {
    const { decisions, page, warnings } = playVirtually(version, {
      then: `
        let choices = 0;
        sammy.update({
          abr: {
            name: 'lowest, until it fails',
            session: () => ({
              choose({ ladder }) {
                if (++choices > 2) throw new Error('no more');
                return { rung: ladder[0], reason: 'lowest' };
              },
              requiredThroughput: () => 0,
            }),
          },
        });`,
    });
    expect(warnings).toEqual(['no more']);
    // If nothing chose the quality, it would stay the lowest.
    const latest = decisions.filter(isPacedVideo).at(-1);
    expect(latest?.bitrate_kbps).toBe(3300);
    expect(latest).toMatchObject({ abr_reason: 'player' });
    expect(page.errors).toEqual([]);
  });

  it('applies its settings again, with one warning, when they are reset or restored', () => {
    const { seen, decisions, page, warnings } = playVirtually(version, {
      then: `
        const active = ({ rules = {}, additionalAbrRules = {} }) => [
          ...Object.keys(rules).filter((name) => rules[name]?.active),
          ...Object.keys(additionalAbrRules).filter((name) => additionalAbrRules[name]),
        ];
        seen.changed = [];
        seen.later = [];
        const change = (how) => {
          how();
          seen.changed.push(active(settings().streaming.abr));
          setTimeout(() => seen.later.push(active(settings().streaming.abr)), 5000);
        };
        setTimeout(() => change(() => player.resetSettings()), 5000);
        setTimeout(() => change(() => player.updateSettings(seen.before)), 15_000);
        setTimeout(() => {
          sammy.detach();
          seen.after = settings();
        }, 25_000);`,
    });
    for (const rules of seen.changed as string[][]) expect(rules).toContain('abandonRequestsRule');
    // The application keeps control of the dropped-frames rule, and dash.js 4.7 can switch off only one rule while it
    // plays.
    const left = { 5: [], 4: ['insufficientBufferRule', 'switchHistoryRule', 'droppedFramesRule'] }[version];
    expect(seen.later).toEqual([left, left]);
    expect(warnings).toEqual([expect.stringContaining("other code changed Sammy's settings")]);
    expect(decisions.filter(isPacedVideo).at(-1)?.abr_reason).not.toBe('player');
    // detach() restores the latest settings of the application.
    expect(seen.after).toEqual(seen.before);
    expect(page.errors).toEqual([]);
  });
});

it('requests twice the pace at double speed', () => {
  const { decisions } = playVirtually('5', {
    options: '{ c0: 3, c1: 3 }',
    then: 'setTimeout(() => player.setPlaybackRate(2), 10_000);',
  });
  const paces = (rate: number) =>
    decisions
      .filter((each) => isPacedVideo(each) && each.playback_rate === rate)
      .map(({ requested_kbps }) => requested_kbps);
  expect(new Set(paces(1))).toEqual(new Set([9900]));
  expect(new Set(paces(2))).toEqual(new Set([19_800]));
});

it('detects a server that ignores rtp, with one warning', () => {
  const { decisions, warnings, page } = playVirtually('5', {
    edge: false,
  });
  expect(warnings).toEqual(['the server does not pace']);
  expect(decisions.at(-1)).toMatchObject({ pace_limited: false, pacing_honored: 'no' });
  expect(decisions.filter(isPacedVideo).length).toBeGreaterThan(7);
  expect(page.errors).toEqual([]);
});
