import { paceLimits } from '../../edge/policy.ts';
import { expect, test } from '../support/fixtures.ts';
import { otherPlayersOrigin, playSession } from '../support/other-players/other-players.ts';

// RxPlayer, other ladders and rates are in e2e/long/measured.
test('dash.js and Shaka return to the top rung after a slow spell at most 10 s later than unpaced', async ({
  browser,
}) => {
  const origin = await otherPlayersOrigin();
  const back = async (player: 'dashjs' | 'shaka', switchedOff: boolean) => {
    const { topAfter_s, segments, errors } = await playSession(browser, origin, {
      player,
      ladder: [300, 700, 1300, 2100, 3300],
      limits: paceLimits({ switchedOff }),
      link: [
        { rate_kbps: 1300, time_s: 8 },
        { rate_kbps: null, time_s: 25 },
      ],
      untilTop: true,
    });
    expect(errors).toEqual([]);
    expect(segments.some(({ pace_kbps }) => pace_kbps !== null)).toBe(!switchedOff);
    return topAfter_s ?? Infinity;
  };
  const [dashjs, dashjsUnpaced, shaka, shakaUnpaced] = await Promise.all([
    back('dashjs', false),
    back('dashjs', true),
    back('shaka', false),
    back('shaka', true),
  ]);
  expect(dashjs).toBeLessThanOrEqual(dashjsUnpaced + 10);
  expect(shaka).toBeLessThanOrEqual(shakaUnpaced + 10);
  expect(Math.max(dashjs, shaka)).toBeLessThan(Infinity);
});
