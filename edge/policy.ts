import { RTP_MAX_KBPS } from '../src/wire/rtp.ts';
import { kbps, type Kbps } from '../src/units.ts';
import { readCmcd, type CmcdReading, type CmcdRefusal, type PaceRequest } from './cmcd.ts';
import { chooseCongestionControl, type CongestionControlRule } from './congestion-control.ts';

/** The operator's limits. They do not apply to a request without a pace. */
export interface PaceLimits {
  /** The lowest pace. Lower requests are raised to it, to protect viewers from players that request too little. */
  readonly floor?: Kbps;
  /** The highest pace. Higher requests are lowered to this pace. */
  readonly ceiling?: Kbps;
  /** Whether to serve everything unpaced, whatever is requested: the kill switch. */
  readonly switchedOff: boolean;
  /** Whether players without the plug-in are paced. */
  readonly pacesForeign: boolean;
  /** The lowest pace for a player without the plug-in. */
  readonly foreignFloor: Kbps;
}

/** The reason for a response's pace. `refused:` is followed by the problem in the request's CMCD. */
export type PaceReason =
  | 'requested'
  | 'foreign-player'
  | 'floor'
  | 'ceiling'
  | 'no-rtp'
  | 'switched-off'
  | 'experiment'
  | 'error-response'
  | `refused:${CmcdRefusal}`;

/**
 * The reason for the pace of a connection that several responses share. `shared-connection`: unpaced, because the sum
 * of their paces is unknown.
 */
export type ConnectionReason =
  | PaceReason
  | 'shared-connection'
  | 'refused:sum-malformed'
  | 'refused:sum-below-rtp';

/**
 * The lowest pace for a player without the plug-in, as a multiple of the largest bitrate in its request, usually the
 * top bitrate in `tb`. Such a player requests an `rtp` below the bitrate when its buffer is long, and mistakes the pace
 * for the network's throughput. At 1.5 times the top bitrate, dash.js and RxPlayer do not return to the top rung after
 * a slow period. At 3 times, they return as quickly as without pacing (figures in docs/edge/operate.md).
 */
export const FOREIGN_BITRATES = 3;

/**
 * The default of the lowest pace for a player without the plug-in. It matters for requests without a bitrate, or with
 * only an audio bitrate, because the needed rate is then unknown.
 */
export const FOREIGN_FLOOR = kbps(3000);

/** The operator's settings for responses. */
export interface ResponsePolicy {
  readonly limits: PaceLimits;
  /** If omitted, all responses use the server's own congestion control. */
  readonly congestionControl?: CongestionControlRule;
  /**
   * The name of the congestion control that yields to other traffic between floor and pace, if the machine supports it
   * (local/kernel/bpf).
   */
  readonly yieldControl?: string;
}

/**
 * The socket settings for a response. Each property is passed in a header (internal-headers.ts) to the layer that owns
 * the socket: local/connections in Node, or vcl/.
 */
export interface SocketVerdict {
  /**
   * The pace of this response. Null: the response is served unpaced, and an earlier pace of the connection is removed.
   */
  readonly pace: Kbps | null;
  /** The name of TCP's congestion control; null for the server's own. */
  readonly congestionControl: string | null;
  /** The lowest rate to which the response yields to other traffic; null if it does not yield. */
  readonly floor: Kbps | null;
}

/** The pace of a response, and the reason. */
export interface PaceVerdict {
  readonly pace: SocketVerdict['pace'];
  readonly reason: PaceReason;
  /** The `rtp` of the request; null if missing or unreadable. */
  readonly asked: Kbps | null;
}

/**
 * The pace of an HTTP/2 connection from this response on, and the reason. Null: the connection is not paced. For
 * servers that see only one request at a time (vcl/). edge/local and nginx/ see all requests, and add up their paces.
 */
export interface ConnectionVerdict {
  readonly connectionPace: Kbps | null;
  readonly connectionReason: ConnectionReason;
}

/** The part of the verdict that depends only on the request. */
export interface RequestVerdict extends PaceVerdict, ConnectionVerdict {
  /** The lowest rate that the viewer needs, at most the pace; null if the player does not send a floor. */
  readonly floor: Kbps | null;
}

/** The complete decision about a response. */
export interface Verdict extends SocketVerdict, RequestVerdict {}

/**
 * Checks the limits. Throws an Error that names an invalid field (by its name in `names`), its value and the valid
 * values.
 */
export function paceLimits(
  options: {
    floor_kbps?: number;
    ceiling_kbps?: number;
    switchedOff?: boolean;
    pacesForeign?: boolean;
    foreign_floor_kbps?: number;
  } = {},
  names = { floor: 'floor_kbps', ceiling: 'ceiling_kbps', foreignFloor: 'foreign_floor_kbps' },
): PaceLimits {
  const { floor_kbps, ceiling_kbps, switchedOff = false, pacesForeign = true } = options;
  const { foreign_floor_kbps = FOREIGN_FLOOR } = options;
  const check = (name: string, value: number | undefined): void => {
    if (value === undefined || (value > 0 && value <= RTP_MAX_KBPS)) return;
    throw new Error(`${name} is ${value}; expected kbit/s above 0 and at most ${RTP_MAX_KBPS}`);
  };
  check(names.floor, floor_kbps);
  check(names.ceiling, ceiling_kbps);
  check(names.foreignFloor, foreign_floor_kbps);
  if (floor_kbps !== undefined && ceiling_kbps !== undefined && floor_kbps > ceiling_kbps) {
    throw new Error(
      `${names.floor} is ${floor_kbps}; expected at most ${names.ceiling}, which is ${ceiling_kbps}`,
    );
  }
  return {
    ...(floor_kbps !== undefined && { floor: kbps(floor_kbps) }),
    ...(ceiling_kbps !== undefined && { ceiling: kbps(ceiling_kbps) }),
    switchedOff,
    pacesForeign,
    foreignFloor: kbps(foreign_floor_kbps),
  };
}

/**
 * Decides the pace of a response from its request, regardless of earlier requests. Never throws. A request with invalid
 * CMCD is served unpaced, so that the viewer is not affected.
 */
export function decidePace(request: PaceRequest, limits: PaceLimits): RequestVerdict {
  const cmcd = readCmcd(request);
  const { rtp, fromPlugin, floor } = cmcd;
  if (limits.switchedOff) return unpaced('switched-off', rtp && 'pace' in rtp ? rtp.pace : null);
  if (rtp === null) return unpaced('no-rtp', null);
  if ('refused' in rtp) return unpaced(`refused:${rtp.refused}`, null);

  const asked = rtp.pace;
  if (!fromPlugin && !limits.pacesForeign) return unpaced('foreign-player', asked);
  const safe = fromPlugin ? asked : leastForForeign(cmcd, limits);
  const [pace, reason] =
    safe > asked ? clamp(safe, 'foreign-player', limits) : clamp(asked, 'requested', limits);
  const needed = fromPlugin && floor !== null ? kbps(Math.max(floor, limits.floor ?? 0)) : null;
  return {
    ...{ pace, reason, asked, ...decideConnectionPace(cmcd, asked, limits) },
    floor: needed && kbps(Math.min(needed, pace)),
  };
}

/** Returns the verdict for an unpaced response. The connection is then unpaced, too. */
export const unpaced = (reason: PaceReason, asked: Kbps | null): RequestVerdict => ({
  pace: null,
  reason,
  asked,
  connectionPace: null,
  connectionReason: reason,
  floor: null,
});

/** Decides the connection's pace: the sum that the plug-in sends. For other players, the sum is unknown. */
function decideConnectionPace(
  { fromPlugin, sum }: CmcdReading,
  asked: Kbps,
  limits: PaceLimits,
): ConnectionVerdict {
  const none = (connectionReason: ConnectionReason) => ({ connectionPace: null, connectionReason });
  if (!fromPlugin || sum === null) return none('shared-connection');
  if (sum === 'malformed') return none('refused:sum-malformed');
  if (sum < asked) return none('refused:sum-below-rtp');
  const [connectionPace, connectionReason] = clamp(sum, 'requested', limits);
  return { connectionPace, connectionReason };
}

function clamp(pace: Kbps, reason: PaceReason, { floor, ceiling }: PaceLimits): [Kbps, PaceReason] {
  if (floor !== undefined && pace < floor) return [floor, 'floor'];
  if (ceiling !== undefined && pace > ceiling) return [ceiling, 'ceiling'];
  return [pace, reason];
}

/** Returns the lowest pace for a request of a player without the plug-in. */
export const leastForForeign = (
  { bitrate, topBitrate, playbackRate }: Pick<CmcdReading, 'bitrate' | 'topBitrate' | 'playbackRate'>,
  { foreignFloor }: PaceLimits,
): Kbps => {
  const largest = Math.max(bitrate ?? 0, topBitrate ?? 0);
  const least = Math.max(largest * FOREIGN_BITRATES, foreignFloor) * playbackRate;
  return kbps(Math.min(RTP_MAX_KBPS, least));
};

/** Adds the socket's congestion control to the verdict: the yielding one if the player sends a floor. */
export function completeVerdict(
  served: RequestVerdict,
  { congestionControl, yieldControl }: ResponsePolicy,
): Verdict {
  if (yieldControl !== undefined && served.floor !== null)
    return { ...served, congestionControl: yieldControl };
  return {
    ...served,
    congestionControl: congestionControl ? chooseCongestionControl(congestionControl, served.pace) : null,
    floor: null,
  };
}
