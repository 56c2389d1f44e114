import { describe, expect, it } from 'vitest';
import { findStudy } from '../../studies/sessions/index.ts';
import type { SessionSettings } from '../records/session-settings.ts';
import { PAPER_LINK } from '../../network/links/link.ts';
import { placeFor, type AskedPlace } from '../../harness/runs/place.ts';
import type { StudyRequest } from '../../harness/runs/study.ts';
import { planSessions, findSession } from './plan-sessions.ts';

const settings: SessionSettings = {
  ...{ name: 'x', about: '', figure: '', runs: 3, seconds: 10, link: PAPER_LINK },
  arms: ['a', 'b'],
  conditions: [{ name: 'fast' }, { name: 'slow', arms: ['a'] }],
};
const at = (asked: AskedPlace) => ({ place: placeFor(findStudy('single'), asked) });
const plan = async (name: string, asked: StudyRequest) => (await findStudy(name).plan(asked)).settings;

describe('planSessions', () => {
  it('has each arm under each of its conditions, as often as requested', () => {
    const { runs } = planSessions(settings, {});
    expect(runs.map(({ cell, k }) => `${cell}/${k}`).sort()).toEqual(
      [1, 2, 3].flatMap((k) => ['a@fast', 'a@slow', 'b@fast'].map((cell) => `${cell}/${k}`)).sort(),
    );
    expect(findSession(settings, { cell: 'a@slow' })).toMatchObject({
      arm: 'a',
      condition: { name: 'slow' },
    });
  });

  it('allows arms that request parts of segments only where they can play', () => {
    const planned = (asked: AskedPlace) => () =>
      planSessions(settings, { ...at(asked), arms: ['sammy-tiny'] });
    expect(planned({ backend: 'page', link: 'p4' })).not.toThrow();
    for (const asked of [{ backend: 'chromium' }, { backend: 'page', link: 'virtual' }] as const)
      expect(planned(asked)).toThrow(
        'arm sammy-tiny requests parts of segments: it needs --backend page --link p4',
      );
  });

  it("replaces the study's neighbor and congestion control", () => {
    const own = { ...settings, neighbor: 'http', congestionControl: 'reno' };
    expect(planSessions(own, { neighbor: 'tcp', 'congestion-control': 'bbr' }).settings).toEqual({
      ...own,
      neighbor: 'tcp',
      congestionControl: 'bbr',
    });
    expect(planSessions(own, {}).settings).toEqual(own);
    expect(() => planSessions(own, { neighbor: 'quic' })).toThrow('quic');
    const beside = { name: 'beside-tcp', neighbor: 'tcp' };
    expect(() => planSessions({ ...own, conditions: [beside] }, { neighbor: 'udp' })).toThrow(
      'has a neighbor for each condition; --conditions chooses among them',
    );
    // The name of the study would contradict its neighbor.
    expect(() => planSessions({ ...own, name: 'neighbor-http' }, { neighbor: 'tcp' })).toThrow(
      'study neighbor-http has its own neighbor; npm run lab -- run neighbor-tcp',
    );
  });

  it('allows arms of other players only where players are not modeled', () => {
    const planned = (asked: AskedPlace) => () => planSessions(settings, { ...at(asked), arms: ['hlsjs'] });
    for (const asked of [{ backend: 'chromium' }, { backend: 'page', link: 'virtual' }] as const)
      expect(planned(asked)).not.toThrow();
    for (const asked of [{ backend: 'model' }, { backend: 'light', link: 'p4' }] as const)
      expect(planned(asked)).toThrow('arm hlsjs does not use dash.js: it needs --backend page or chromium');
  });

  it('refuses light viewers over HTTP/2, which they do not support', () => {
    const planned = (backend: 'light' | 'page') => () =>
      planSessions(settings, { ...at({ backend, link: 'p4' }), edge: 'node-http2' });
    expect(planned('page')).not.toThrow();
    expect(planned('light')).toThrow('--edge node-http2 needs --backend chromium or page');
    expect(() => planSessions(settings, { ...at({ link: 'virtual' }), edge: 'nginx' })).toThrow(
      '--edge nginx needs a real link',
    );
  });

  it('groups the runs of a round, and the sessions of one viewer', () => {
    const groups = (asked: SessionSettings) =>
      Object.fromEntries(planSessions(asked, {}).runs.map(({ cell, k, group }) => [`${cell}/${k}`, group]));
    const compared = groups(settings);
    expect(compared['a@fast/2']).toBe(compared['b@fast/2']);
    expect(compared['a@fast/2']).not.toBe(compared['a@fast/1']);
    const viewers = groups({ ...settings, conditions: [{ name: 'v', history: { begins_kbps: null } }] });
    expect(viewers['a@v/1']).toBe(viewers['a@v/3']);
    expect(viewers['a@v/1']).not.toBe(viewers['b@v/1']);
  });

  it('stores light viewers, but omits Chromium, as older manifests do', () => {
    expect(planSessions(settings, at({ backend: 'light' })).settings).toEqual({
      ...settings,
      viewers: 'light',
    });
    expect(planSessions(settings, at({ backend: 'chromium' })).settings).toEqual(settings);
    const light = { ...settings, viewers: 'light' } as const;
    expect(planSessions(light, {}).settings).toEqual(light);
    expect(planSessions(light, at({ backend: 'chromium' })).settings).toEqual(settings);
  });

  it("puts the experiment's own first arm first, and keeps the order of the others", async () => {
    expect(await plan('single', { arms: ['sammy-paper', 'dashjs'], runs: 2 })).toMatchObject({
      arms: ['dashjs', 'sammy-paper'],
      runs: 2,
      seconds: 60,
    });
    expect(
      await plan('single', { arms: ['sammy-smooth', 'sammy-careful', 'dashjs', 'sammy-paper'] }),
    ).toMatchObject({ arms: ['dashjs', 'sammy-smooth', 'sammy-careful', 'sammy-paper'] });
  });

  it('resumes with the earlier options', () => {
    const before = planSessions(settings, { arms: ['sammy-paper'], seconds: 5, rate: '20' }).settings;
    expect(planSessions(before, { runs: 4 }).settings).toEqual({ ...before, runs: 4 });
  });

  it('applies link options to the switch, and stores them in the settings', async () => {
    expect(
      await plan('single', { ...at({ link: 'p4' }), jitter: 1, loss: 1, 'mark-above': 30 }),
    ).toMatchObject({
      link: { ...PAPER_LINK, jitter_ms: 1, loss: 0.01, threshold: { packets: 30, action: 'mark' } },
    });
  });

  it.each([
    ['single', { arms: ['nobody'] }, /no arm 'nobody'/],
    ['single', { jitter: 1 }, /^--jitter needs the P4 switch, because mahimahi/],
    ['single', { ...at({ link: 'p4' }), jitter: 3 }, /--jitter is 3 ms, more than the delay of 2.5 ms/],
    ['networks', { jitter: 1 }, /networks has its own links/],
    ['networks', { rtt: 20 }, /networks has its own links/],
    ['history', { jobs: 2 }, /history has runs that remember .* --jobs 1/],
    ['burst', { jobs: 2 }, /burst sets the burst size of the whole machine, so it needs --jobs 1/],
  ])('refuses %s with %o', async (name, asked, message) => {
    await expect(plan(name, asked)).rejects.toThrow(message);
  });
});
