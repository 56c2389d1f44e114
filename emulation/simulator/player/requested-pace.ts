import type { Decision } from '../../../src/decision.ts';
import type { PlayerSettings } from './settings.ts';

/** CMCD: `rtp` in steps of so many kbit/s. */
const STEP_KBPS = 100;
/** dash.js takes an empty buffer for half a second. */
const EMPTY_S = 0.5;

/** The pace that the server is asked for, kbit/s: the plug-in's, or dash.js's own `rtp` where that is sent; null for none. */
export function paceOf(decision: Decision, { rtpSafetyFactor }: PlayerSettings): number | null {
  if (rtpSafetyFactor === undefined) return decision.requested_kbps;
  const { bitrate_kbps, segment_duration_s, buffer_s } = decision;
  const least_kbps = (bitrate_kbps * segment_duration_s) / (buffer_s > 0 ? buffer_s : EMPTY_S);
  return Math.ceil((rtpSafetyFactor * least_kbps) / STEP_KBPS) * STEP_KBPS;
}
