import type { AbrAlgorithm } from '../abr/abr.ts';
import { HYB } from '../abr/hyb.ts';
import { kbps } from '../units.ts';

/** dash.js's default for the share of the throughput that its rules go by (`bandwidthSafetyFactor`). */
const SAFETY_FACTOR = 0.9;

/**
 * Stands for the player's own rules, where they choose. What they need for a rung is guessed: what HYB does, and at
 * least what their safety factor makes of it, since they go by the throughput at any buffer.
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
