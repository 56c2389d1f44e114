import type { Decision } from '../../../../src/decision.ts';
import { leastForForeign } from '../../../../edge/policy.ts';
import { kbps } from '../../../../src/units.ts';
import type { PlayerSettings } from './settings.ts';

/** CMCD: `rtp` in steps of so many kbit/s. */
const STEP_KBPS = 100;
/** dash.js takes an empty buffer for half a second. */
const EMPTY_S = 0.5;

/** The pace of a response, kbit/s: the plug-in's, or dash.js's own `rtp`, which the edge raises for the bitrate; null for none. */
export function paceOf(decision: Decision, { rtpSafetyFactor }: PlayerSettings): number | null {
  if (rtpSafetyFactor === undefined) return decision.requested_kbps;
  const { bitrate_kbps, segment_duration_s, buffer_s } = decision;
  const least_kbps = (bitrate_kbps * segment_duration_s) / (buffer_s > 0 ? buffer_s : EMPTY_S);
  const rtp_kbps = Math.ceil((rtpSafetyFactor * least_kbps) / STEP_KBPS) * STEP_KBPS;
  return Math.max(rtp_kbps, leastForForeign(kbps(bitrate_kbps)));
}
