import { paceLimits } from '../../../edge/policy.ts';
import { expect, test } from '../../support/fixtures.ts';
import {
  OTHER_PLAYERS,
  otherPlayersOrigin,
  playSession,
  type OtherPlayer,
  type Session,
  type SessionOptions,
} from '../../support/other-players/other-players.ts';

const LADDERS = [
  // Ladders with steps by factors of 1.6 to 2.3, of 3, and of 1.5.
  [300, 700, 1300, 2100, 3300],
  [300, 900, 2700],
  [400, 600, 900, 1350, 2000, 3000],
];

test.setTimeout(300_000);

/** Plays a session of each player, paced and unpaced, all at the same time. */
async function playAll(
  browser: Parameters<typeof playSession>[0],
  options: Pick<SessionOptions, 'ladder' | 'link' | 'untilTop'>,
): Promise<readonly { player: OtherPlayer; paced: Session; unpaced: Session }[]> {
  const origin = await otherPlayersOrigin();
  const play = (player: OtherPlayer, switchedOff: boolean) =>
    playSession(browser, origin, { ...options, player, limits: paceLimits({ switchedOff }) });
  const pairs = await Promise.all(
    OTHER_PLAYERS.map(async (player) => {
      const [paced, unpaced] = await Promise.all([play(player, false), play(player, true)]);
      return { player, paced, unpaced };
    }),
  );
  for (const { player, paced, unpaced } of pairs) {
    console.log(JSON.stringify({ player, ladder: options.ladder, link: options.link, paced, unpaced }));
    expect([player, paced.errors, unpaced.errors]).toEqual([player, [], []]);
  }
  return pairs;
}

for (const ladder of LADDERS)
  test(`players return to the top of ${ladder.join(', ')} kbit/s at most 10 s later than unpaced`, async ({
    browser,
  }) => {
    const link = [
      { rate_kbps: 1300, time_s: 42 },
      { rate_kbps: null, time_s: 60 },
    ];
    // Play twice, because the time until unpaced Shaka returned to the top rung varied from 0 to 26 s.
    const rounds = [
      await playAll(browser, { ladder, link, untilTop: true }),
      await playAll(browser, { ladder, link, untilTop: true }),
    ];
    for (const player of OTHER_PLAYERS) {
      const sessions = rounds.flat().filter((each) => each.player === player);
      const back = sessions.map(({ paced }) => paced.topAfter_s ?? Infinity);
      const unpacedBack = sessions.map(({ unpaced }) => unpaced.topAfter_s ?? Infinity);
      expect(Math.min(...back), player).toBeLessThanOrEqual(Math.max(...unpacedBack) + 10);
    }
  });

for (const rate_kbps of [20_000, 5000, 2000])
  test(`players at ${rate_kbps} kbit/s have the same bitrate and start as unpaced`, async ({ browser }) => {
    const [ladder = []] = LADDERS;
    const sessions = await playAll(browser, { ladder, link: [{ rate_kbps, time_s: 60 }] });
    for (const { player, paced } of sessions)
      // The pace is three times the top rung of 3,300 kbit/s. At 5 and 2 Mbit/s, the link is slower than that, and
      // limits the player whether or not it is paced.
      for (const pace of paced.paces_kbps.filter((each) => each !== null))
        expect(pace, player).toBeGreaterThanOrEqual(9900);
    if (rate_kbps < 9900) return;
    const sum = (read: (session: Session) => number, kind: 'paced' | 'unpaced') =>
      sessions.reduce((total, session) => total + read(session[kind]), 0);
    // Sum over all players, because the switches of a single player are random.
    const bitrate = ({ meanBitrate_kbps }: Session) => meanBitrate_kbps;
    expect(sum(bitrate, 'paced')).toBeGreaterThan(0.85 * sum(bitrate, 'unpaced'));
    const start = ({ start_ms }: Session) => start_ms;
    expect(sum(start, 'paced')).toBeLessThan(sum(start, 'unpaced') + 3000);
    for (const { player, paced } of sessions) expect(paced.stalled_ms, player).toBe(0);
  });
