import type { SessionSummary } from '../src/index.ts';
import type { Kbps } from '../src/units.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  test,
} from './support/fixtures.ts';
import { readsReceiptsOfAnotherOrigin } from './support/scenarios.ts';
import { segmentsOf } from './support/test-edge.ts';

for (const cmcd of ['query', 'header'] as const) {
  test(`with rtp in the ${cmcd}, another origin applies the pace and its receipts can be read`, async ({
    page,
    edge,
  }) => {
    await readsReceiptsOfAnotherOrigin(page, edge, cmcd);
  });
}
test('a server that ignores rtp is noticed, with one warning', async ({ page, edge }) => {
  edge.ignoresRtp = true;
  // Little enough that of the film's twelve segments seven are left to be paced, however late playback begins.
  await play(page, edge, { dash: { streaming: { buffer: shortBuffer('5', 4) } } });
  const honored = () => page.evaluate(() => window.sammy.pacingHonored);
  await expect.poll(honored, { timeout: 30_000 }).toBe('no');
  expect((await page.evaluate(() => window.sammy.summary)).pacing_honored).toBe('no');
  expect((await decisions(page)).at(-1)).toMatchObject({ pace_limited: false, pacing_honored: 'no' });
  expect(await page.evaluate(() => window.warnings)).toEqual(['the server does not pace as asked']);
  await pacedSegments(page, 7);
  expect((await page.evaluate(() => window.warnings)).length).toBe(1);
  expect(await page.evaluate(() => window.failures)).toEqual([]);
});

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: detach restores every setting, and dash.js goes on playing by itself`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, {
      version,
      format: 'umd',
      dash: { streaming: { abr: { minBitrate: { video: 200 } } } },
    });
    await pacedSegments(page, 2);
    const changed = await page.evaluate(
      () => JSON.stringify(window.player.getSettings()) !== window.settingsBefore,
    );
    expect(changed).toBe(true);
    await page.evaluate(() => {
      window.sammy.detach();
    });
    const after = await page.evaluate(() => JSON.stringify(window.player.getSettings()));
    expect(JSON.parse(after)).toEqual(JSON.parse(await page.evaluate(() => window.settingsBefore)));
    // The requests in flight at detach, at most one per media type, are still paced; later ones are not. Which of them
    // ends first is chance.
    const mark = edge.responses.length;
    const later = () => segmentsOf(edge.responses.slice(mark));
    const sinceLastPaced = () =>
      later().length - 1 - later().findLastIndex(({ asked_kbps }) => asked_kbps !== null);
    await expect.poll(sinceLastPaced).toBeGreaterThan(3);
    expect(later().filter(({ asked_kbps }) => asked_kbps !== null).length).toBeLessThanOrEqual(2);
    await playhead(page, 5);
    await nothingThrown(page);
    // Sammy can be attached again.
    const c0 = await page.evaluate(() => {
      window.attach();
      return window.sammy.options.c0;
    });
    expect(c0).toBe(3.2);
  });
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: after the player's own reset() the next source is paced too`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, { version, format: 'umd' });
    await pacedSegments(page, 1);
    await page.evaluate(
      ({ url, buffer }) => {
        window.player.reset();
        window.player.updateSettings({ streaming: { buffer } });
        window.player.attachView(document.querySelector('video'));
        window.player.attachSource(url);
      },
      { url: `${edge.url}/content/manifest.mpd`, buffer: shortBuffer(version) },
    );
    // The decisions of the new session, which begins unpaced.
    const session = await pacedSegments(page, 2);
    expect(session.find(({ media_type }) => media_type === 'video')).toMatchObject({ phase: 'initial' });
    expect(session.filter(isPacedVideo).every(({ abr_reason }) => abr_reason !== 'player')).toBe(true);
    await nothingThrown(page);
  });
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: a listener may change options and detach`, async ({ page, edge }) => {
    await play(page, edge, { version, format: 'umd' });
    const summary = page.evaluate(
      () =>
        new Promise<SessionSummary>((resolve) => {
          window.sammy.on('summary', resolve);
          window.sammy.on('request', ({ requested_kbps }) => {
            if (requested_kbps !== null) window.sammy.update({ pacing: false });
          });
          window.sammy.on('decision', ({ pace_reason }) => {
            if (pace_reason === 'switched-off') window.sammy.detach();
          });
        }),
    );
    const { segments } = await summary;
    const after = await page.evaluate(() => JSON.stringify(window.player.getSettings()));
    expect(JSON.parse(after)).toEqual(JSON.parse(await page.evaluate(() => window.settingsBefore)));
    const mark = edge.responses.length;
    await expect.poll(() => segmentsOf(edge.responses.slice(mark)).length).toBeGreaterThan(3);
    // The requests in flight when pacing was switched off, at most one per media type, may end now.
    const paced = segmentsOf(edge.responses.slice(mark)).filter(({ asked_kbps }) => asked_kbps !== null);
    expect(paced.length).toBeLessThanOrEqual(2);
    expect((await decisions(page)).length).toBe(segments);
    await nothingThrown(page);
  });
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: if an algorithm throws, dash.js's own rules choose from then on, and Sammy paces`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, { version, format: 'umd' });
    await page.evaluate(() => {
      let choices = 0;
      window.sammy.update({
        abr: {
          name: 'lowest, until it fails',
          session: () => ({
            choose({ ladder }) {
              if (++choices > 2) throw new Error('no more');
              return { rung: ladder[0], reason: 'lowest' };
            },
            requiredThroughput: () => 0 as Kbps,
          }),
        },
      });
    });
    await expect.poll(() => page.evaluate(() => window.warnings)).toHaveLength(1);
    // Loopback is faster than any rung. A quality that nobody chooses would stay the lowest.
    const latest = async () => (await decisions(page)).filter(isPacedVideo).at(-1);
    await expect.poll(async () => (await latest())?.bitrate_kbps).toBeGreaterThan(300);
    expect(await latest()).toMatchObject({ abr_reason: 'player' });
    expect(await page.evaluate(() => window.warnings)).toEqual(['no more']);
    expect(await page.evaluate(() => window.failures)).toEqual([]);
  });
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: settings that are reset, or set again as they were, are taken over again with one warning`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, { version, format: 'umd' });
    await pacedSegments(page, 1);
    interface Abr {
      rules?: Record<string, { active?: boolean }>;
      additionalAbrRules?: Record<string, boolean>;
    }
    /** Of dash.js's own. */
    const activeRules = ({ rules = {}, additionalAbrRules = {} }: Abr) => [
      ...Object.keys(rules).filter((name) => rules[name]?.active),
      ...Object.keys(additionalAbrRules).filter((name) => additionalAbrRules[name]),
    ];
    const change = async (how: 'reset' | 'set') => {
      // Read in the same turn, since the plug-in may choose in the next and take over again.
      const changed = await page.evaluate(
        ({ how, buffer }) => {
          const { player, settingsBefore } = window;
          if (how === 'reset') player.resetSettings();
          else player.updateSettings(JSON.parse(settingsBefore) as object);
          player.updateSettings({ streaming: { buffer } });
          return player.getSettings().streaming.abr;
        },
        { how, buffer: shortBuffer(version) },
      );
      expect(activeRules(changed)).toContain('abandonRequestsRule');
      const now = () => page.evaluate(() => window.player.getSettings().streaming.abr as Abr);
      await expect.poll(async () => activeRules(await now())).toEqual(left);
    };
    // The dropped-frames rule is left to the application, and 4.7 can switch off no more than one while it plays.
    const left = {
      5: [],
      4: ['insufficientBufferRule', 'switchHistoryRule', 'droppedFramesRule'],
    }[version];
    await change('reset');
    await change('set');
    expect(await page.evaluate(() => window.warnings)).toEqual([
      expect.stringContaining('settings that Sammy overrides'),
    ]);
    expect(await page.evaluate(() => window.failures)).toEqual([]);
    expect((await decisions(page)).filter(isPacedVideo).at(-1)?.abr_reason).not.toBe('player');
    // What a detach restores is what was set last.
    const after = await page.evaluate(() => {
      window.sammy.detach();
      return JSON.stringify(window.player.getSettings());
    });
    expect(JSON.parse(after)).toEqual(JSON.parse(await page.evaluate(() => window.settingsBefore)));
  });
}

test('an option out of range, a second Sammy and an object that is no player are refused', async ({
  page,
  edge,
}) => {
  await play(page, edge);
  const refused = await page.evaluate(() => {
    const message = (action: () => unknown) => {
      try {
        action();
        return 'accepted';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    };
    return [
      message(() => {
        window.sammy.update({ c0: 0 });
      }),
      message(() => window.attachSammy(window.player)),
      message(() => window.attachSammy({})),
    ];
  });
  expect(refused[0]).toContain('c0');
  expect(refused[1]).toContain('detach it first');
  expect(refused[2]).toContain('MediaPlayer');
  expect(await page.evaluate(() => window.sammy.options.c0)).toBe(3.2);
});
