import type { AbrAlgorithm } from '../abr/abr.ts';
import { HYB } from '../abr/hyb.ts';
import { kbps } from '../units.ts';

/** dash.js's default for the share of the throughput that its rules use (`bandwidthSafetyFactor`). */
const SAFETY_FACTOR = 0.9;

/**
 * Represents the player's own rules while they choose the rungs. Their required throughput is approximated by HYB's,
 * but is at least the bitrate divided by the rules' safety factor, because these rules follow the throughput at every
 * buffer level.
 */
export const PLAYER_RULES: AbrAlgorithm = {
  name: 'player',
  session(options) {
    const hyb = HYB.session(options);
    return {
      ...hyb,
      requiredThroughput: (state, rung) =>
        kbps(Math.max(hyb.requiredThroughput(state, rung), rung.bitrate_kbps / SAFETY_FACTOR)),
    };
  },
};
