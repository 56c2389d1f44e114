import type { PlayedSession } from '../simulated-session.ts';

/** dash.js 5.2's default of `bufferTimeAtTopQuality`. */
const BUFFER_AT_TOP_S = 30;
/** dash.js's `bufferTimeAtTopQualityLongForm`. */
const LONG_FORM_AT_TOP_S = 60;
/** dash.js's `longFormContentDurationThreshold`. */
const LONG_FORM_FROM_S = 600;
/** dash.js's `bufferTimeDefault`. */
const BUFFER_S = 18;
/** dash.js's `fragmentRequestTimeout`. */
const REQUEST_TIMEOUT_S = 20;

/** The dash.js settings that the simulation uses. */
export interface PlayerSettings {
  readonly maxBuffer_s: number;
  readonly bufferTarget_s: number;
  readonly requestTimeout_s: number;
  readonly fastSwitch: boolean;
  /** Whether DYNAMIC, dash.js's choice between two rules, uses BOLA. */
  readonly bola: boolean;
  /** The factor of dash.js's own CMCD `rtp`; undefined if the plug-in decides the pace. */
  readonly rtpSafetyFactor: number | undefined;
}

/** The dash.js settings of an arm and a session. */
export function readSettings({ arm, buffer_s }: PlayedSession, film_s: number): PlayerSettings {
  const { buffer, abr, cmcd } = arm.settings?.streaming ?? {};
  const maxBuffer_s = buffer_s ?? (film_s >= LONG_FORM_FROM_S ? LONG_FORM_AT_TOP_S : BUFFER_AT_TOP_S);
  return {
    maxBuffer_s,
    bufferTarget_s: Math.min(buffer_s ?? BUFFER_S, maxBuffer_s),
    requestTimeout_s: REQUEST_TIMEOUT_S,
    fastSwitch: buffer?.fastSwitchEnabled ?? true,
    bola: abr?.rules?.bolaRule?.active ?? true,
    rtpSafetyFactor: cmcd?.enabled === true ? (cmcd.rtpSafetyFactor ?? 5) : undefined,
  };
}
