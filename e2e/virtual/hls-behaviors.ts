import { describe, expect, it } from 'vitest';
import { scheduledRate } from '../../emulation/network/virtual/rounds/rates.ts';
import { playHls, type HlsVersion } from './hls-session.ts';
import { isPacedVideo } from './session.ts';

const isVideo = ({ media_type }: { readonly media_type: string }) => media_type === 'video';

/** A link whose rate falls at 5 s. */
const falling = scheduledRate([
  { mbps: 20, seconds: 5 },
  { mbps: 0.5, seconds: 1000 },
]);

/** Defines the tests of the plug-in with a version of hls.js itself, in a page in virtual time. */
export function testHls(version: HlsVersion): void {
  it('changes no request if it neither paces nor chooses rungs', () => {
    const watched = playHls(version, { options: { abr: 'player', pacing: false }, capacity: falling });
    const alone = playHls(version, { options: null, capacity: falling });
    expect(watched.requests.length).toBeGreaterThan(10);
    expect(watched.requests).toEqual(alone.requests);
    expect(watched.decisions.length).toBeGreaterThan(10);
  });

  it.each([
    ['query', undefined],
    ['headers', true],
  ])("replaces hls.js's own rtp and mtp, in the %s", (_, useHeaders) => {
    const { requests, decisions, errors } = playHls(version, { config: { cmcd: { useHeaders } } });
    const paced = decisions.filter(isPacedVideo);
    expect(paced.length).toBeGreaterThan(3);
    // One `rtp` per request: none before playback, and then the value of the decision.
    const asked = requests.flatMap(({ cmcd }) =>
      [...cmcd.matchAll(/(?:^|,)rtp=(\d+)/g)].map(([, rtp]) => Number(rtp)),
    );
    expect(asked).toEqual(
      expect.arrayContaining(
        paced.map(({ requested_kbps }) => Math.ceil((requested_kbps ?? NaN) / 100) * 100),
      ),
    );
    expect(asked.length).toBeLessThan(requests.length);
    for (const { cmcd } of requests) expect(cmcd.match(/(^|,)rtp=/g)?.length ?? 0, cmcd).toBeLessThan(2);
    // hls.js's own keys are kept, and the throughput that it reports is the plug-in's estimate.
    const last = requests.findLast(({ url }) => url.pathname.includes('/v'))?.cmcd ?? '';
    expect(last).toMatch(/sid="/);
    const estimate_kbps = decisions.findLast(isVideo)?.estimate_kbps ?? NaN;
    expect(Math.abs(Number(/mtp=\(?(\d+)/.exec(last)?.[1]) - estimate_kbps)).toBeLessThan(500);
    expect(errors).toEqual([]);
  });

  it('does not let hls.js mistake the pace for the network throughput, even after a detach', () => {
    const { seen, decisions } = playHls(version, {
      // The first segment is large enough to measure more than the pace.
      options: { default_throughput_kbps: 2000 },
      then: `
        setTimeout(() => {
          seen.during = hls.bandwidthEstimate;
          const { bwEstimator } = hls.abrController;
          seen.own = Object.getPrototypeOf(bwEstimator).getEstimate.call(bwEstimator);
          const before = hls.config.abrEwmaDefaultEstimate;
          sammy.detach();
          seen.after = hls.bandwidthEstimate;
          seen.isDefaultKept = hls.config.abrEwmaDefaultEstimate === before;
        }, 15_000);`,
    });
    const paces = decisions.filter(isPacedVideo).map(({ requested_kbps }) => requested_kbps ?? NaN);
    const pace = 1000 * Math.max(...paces);
    expect(seen.own).toBeLessThan(pace);
    expect(seen.during).toBeGreaterThan(pace);
    expect(seen.after).toBeCloseTo(seen.during as number, 3);
    expect(seen.isDefaultKept).toBe(true);
  });

  it("paces hls.js's own choices, which are the same as without pacing", () => {
    const play = (pacing: boolean) => {
      const video = playHls(version, { options: { abr: 'player', pacing }, seconds: 40 }).decisions.filter(
        isVideo,
      );
      const sum = (read: (decision: (typeof video)[number]) => number) =>
        video.reduce((total, decision) => total + read(decision), 0);
      return {
        bitrate_kbps: sum(({ bitrate_kbps }) => bitrate_kbps) / video.length,
        throughput_kbps: (8 * sum(({ size_bytes }) => size_bytes)) / sum(({ download_ms }) => download_ms),
      };
    };
    const [paced, unpaced] = [play(true), play(false)];
    expect(paced.bitrate_kbps).toBeGreaterThan(0.98 * unpaced.bitrate_kbps);
    expect(paced.throughput_kbps).toBeLessThan(0.5 * unpaced.throughput_kbps);
  });

  it('abandons only by its own rule', () => {
    const then = `seen.aborted = []; hls.on('hlsFragLoadEmergencyAborted', (_, { frag }) => seen.aborted.push(frag.start));`;
    const session = {
      capacity: falling,
      seconds: 40,
      config: { maxBufferLength: 6, maxBufferSize: 0 },
      then,
    };
    const own = playHls(version, { ...session, options: null });
    const { seen, decisions, errors } = playHls(version, session);
    // On this link, hls.js alone does abandon downloads.
    expect((own.seen.aborted as number[]).length).toBeGreaterThan(0);
    const again = decisions.filter(({ abr_reason }) => abr_reason === 'instead-of-abandoned');
    expect(seen.aborted).toEqual(again.map(({ segment_start_s }) => segment_start_s));
    expect(decisions.filter(isVideo).filter(({ outcome }) => outcome === 'abandoned').length).toBe(
      again.length,
    );
    expect(errors).toEqual([]);
  });

  // The algorithm uses β = 0.8 of the 2 Mbit/s: 1.6 Mbit/s.
  it('starts with its own estimate, and downloads no segment as a bandwidth test', () => {
    const [first, second] = playHls(version, {
      config: { startLevel: -1 },
      options: { default_throughput_kbps: 2000 },
    }).decisions.filter(isVideo);
    expect(first).toMatchObject({ segment_start_s: 0, representation: 'v1300' });
    expect(second?.segment_start_s).toBe(2);
  });

  it.each([0.5, 1, 2, 10])(
    'lets hls.js test the bandwidth if nothing is known, and starts as early: %s Mbit/s',
    (capacity) => {
      const session = {
        capacity,
        // hls.js alone would begin with a high level if it did not test.
        config: { startLevel: -1, abrEwmaDefaultEstimate: 5_000_000 },
        then: `video.addEventListener('playing', () => { seen.started ??= performance.now(); });`,
      };
      const own = playHls(version, { ...session, options: null });
      const { seen, decisions } = playHls(version, session);
      expect(seen.started).toBe(own.seen.started);
      const [first, second] = decisions.filter(isVideo);
      // hls.js discards the first segment.
      expect(first).toMatchObject({ segment_start_s: 0, representation: 'v300', abr_reason: 'player' });
      expect(second?.segment_start_s).toBe(0);
    },
  );

  it("starts at the application's startLevel", () => {
    const { decisions } = playHls(version, { config: { startLevel: 1 } });
    const [first, second] = decisions.filter(isVideo);
    expect(first).toMatchObject({ representation: 'v700', abr_reason: 'player' });
    expect(second?.representation).toBe('v3300');
  });

  it('respects autoLevelCapping, which capLevelToPlayerSize sets, and minAutoBitrate', () => {
    const { decisions, errors } = playHls(version, {
      capacity: falling,
      seconds: 30,
      config: { minAutoBitrate: 700_000 },
      then: 'hls.autoLevelCapping = 2;',
    });
    const video = decisions.filter(isVideo);
    expect(new Set(video.map(({ representation }) => representation))).toEqual(new Set(['v700', 'v1300']));
    for (const { top_bitrate_kbps } of video) expect(top_bitrate_kbps).toBeLessThan(1400);
    expect(errors).toEqual([]);
  });

  it('does not change a level that the application has fixed, and does not abandon it', () => {
    const { decisions } = playHls(version, { capacity: falling, seconds: 40, then: 'hls.loadLevel = 3;' });
    const video = decisions.filter(isVideo);
    expect(new Set(video.map(({ representation }) => representation))).toEqual(new Set(['v2100']));
    expect(new Set(video.map(({ outcome }) => outcome))).toEqual(new Set(['completed']));
    for (const { top_bitrate_kbps, bitrate_kbps } of video) expect(top_bitrate_kbps).toBe(bitrate_kbps);
  });

  it('accepts a level that hls.js or the application sets for one segment', () => {
    const { decisions } = playHls(version, {
      then: `hls.once('hlsFragLoaded', () => setTimeout(() => { hls.nextAutoLevel = 0; }, 1000));`,
      seconds: 8,
    });
    const chosen = decisions.filter(isVideo).map(({ representation }) => representation);
    // The session begins at this level, too.
    expect(chosen[0]).toBe('v300');
    expect(chosen.slice(1).filter((each) => each === 'v300')).toHaveLength(1);
    expect(chosen.at(-1)).toBe('v3300');
  });

  describe('continues on a fast link without a lower level', () => {
    const config = { maxBufferLength: 6, maxBufferSize: 0 };
    const noteLevels = `
      seen.levels = [];
      hls.on('hlsFragLoading', (_, { frag }) => {
        if (frag.type === 'main' && frag.sn !== 'initSegment') seen.levels.push(frag.level);
      });`;
    /** The levels after the first, which hls.js chooses before it has measured anything. */
    const laterLevels = ({ levels }: Readonly<Record<string, unknown>>) =>
      new Set((levels as readonly number[]).slice(1));

    it('when the plug-in is attached during playback', () => {
      const { seen } = playHls(version, {
        ...{ options: null, config, seconds: 30 },
        then: `${noteLevels} hls.on('hlsFragLoading', () => { if (seen.levels.length === 10) setTimeout(attach, 5); });`,
      });
      expect(laterLevels(seen)).toEqual(new Set([4]));
    });

    it('when the plug-in is detached', () => {
      const { seen } = playHls(version, {
        ...{ config, seconds: 30 },
        then: `${noteLevels} setTimeout(() => sammy.detach(), 3000);`,
      });
      expect(laterLevels(seen)).toEqual(new Set([4]));
    });
  });

  it('begins the second source with the throughput of the network, not with that of paced segments', () => {
    const { seen } = playHls(version, {
      seconds: 30,
      then: `
        hls.autoLevelCapping = 0;
        setTimeout(() => {
          seen.before = hls.bandwidthEstimate;
          hls.autoLevelCapping = -1;
          hls.loadSource('http://film.example/master.m3u8');
          seen.after = hls.bandwidthEstimate;
        }, 20_000);`,
    });
    // The paces are below 1.1 Mbit/s.
    expect(seen.before).toBeGreaterThan(3_000_000);
    // hls.js aborts the requests in flight, which says nothing about the network.
    expect(seen.after).toBeCloseTo(seen.before as number, 3);
  });

  it('reads receipts of fetched responses, which hls.js uses for progressive playback', () => {
    const { decisions, errors } = playHls(version, { config: { progressive: true } });
    const paced = decisions.filter(isPacedVideo);
    expect(paced.length).toBeGreaterThan(3);
    for (const { applied_kbps, requested_kbps, size_bytes } of paced) {
      expect(applied_kbps).toBe(Math.ceil((requested_kbps ?? NaN) / 100) * 100);
      expect(size_bytes).toBeGreaterThan(10_000);
    }
    expect(errors).toEqual([]);
  });

  it('ends its session and leaves nothing behind when the player is destroyed', () => {
    const { seen, errors, requests } = playHls(version, {
      options: { summary: undefined },
      then: `
        setTimeout(() => {
          hls.destroy();
          seen.own = Object.getOwnPropertyNames(hls).filter((name) => /AutoLevel$/.test(name) && !/^_/.test(name));
          seen.phase = sammy.phase;
          sammy.detach();
        }, 5000);`,
    });
    expect(seen).toEqual({ own: [], phase: 'playing' });
    expect(requests.every(({ at_ms }) => at_ms < 5100)).toBe(true);
    expect(errors).toEqual([]);
  });
}
