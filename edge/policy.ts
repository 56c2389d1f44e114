import { RTP_MAX_KBPS } from '../src/wire/rtp.ts';
import { kbps, type Kbps } from '../src/units.ts';
import { readCmcd, type CmcdReading, type CmcdRefusal, type PaceRequest } from './cmcd.ts';
import { chooseCongestionControl, type CongestionControlRule } from './congestion-control.ts';

/** What the operator allows. Both rates are optional; neither applies to a request that asks for no pace. */
export interface PaceLimits {
  /** A request for less gets this: protects viewers from a player that asks for too little. */
  readonly floor?: Kbps;
  /** A request for more gets this. */
  readonly ceiling?: Kbps;
  /** Serve everything unpaced, whatever is asked: the control arm of an experiment. */
  readonly switchedOff: boolean;
}

/** Why a response has the pace it has; `refused:` says what was wrong with the request's CMCD. */
export type PaceReason =
  | 'requested'
  | 'foreign-player'
  | 'floor'
  | 'ceiling'
  | 'no-rtp'
  | 'switched-off'
  | 'error-response'
  | `refused:${CmcdRefusal}`;

/**
 * Why a connection that carries several responses has the pace it has. `shared-connection`: it has none, since it is not
 * known what they want together.
 */
export type ConnectionReason =
  PaceReason | 'shared-connection' | 'refused:sum-malformed' | 'refused:sum-below-rtp';

/**
 * The least pace of a player that is not the plug-in, in bitrates of the segment it asks for. Stock dash.js asks for
 * less than one once its buffer holds more than five segments, and a pace just above one leaves its throughput rule, which
 * takes the pace for the network, no room for the bitrate that it has.
 */
export const FOREIGN_BITRATES = 1.5;

/** What the operator wants of responses. */
export interface ResponsePolicy {
  readonly limits: PaceLimits;
  /** The server's own for all responses when not given. */
  readonly congestionControl?: CongestionControlRule;
}

/**
 * What the socket of a response is to have. The verdict carries each property to whoever owns the socket: through its
 * header in internal-headers.ts, to arbitration.ts and local/connections, and to vcl/.
 */
export interface SocketVerdict {
  /** The rate for this response, or null: serve it unpaced, releasing whatever the connection had before. */
  readonly pace: Kbps | null;
  /** The name of TCP's congestion control, or null: the server's own. */
  readonly congestionControl: string | null;
}

/** The pace of a response, and why. */
export interface PaceVerdict {
  readonly pace: SocketVerdict['pace'];
  readonly reason: PaceReason;
  /** The `rtp` that was asked for, where it could be read. */
  readonly asked: Kbps | null;
}

/**
 * For servers that see one request of a connection at a time (vcl/): the pace of an HTTP/2 connection from this response on,
 * and why. Null: the connection is not paced. edge/local and nginx/ see all requests, and add up their paces themselves.
 */
export interface ConnectionVerdict {
  readonly connectionPace: Kbps | null;
  readonly connectionReason: ConnectionReason;
}

/** What is decided from a request alone. */
export interface RequestVerdict extends PaceVerdict, ConnectionVerdict {}

/** All that is decided about a response. */
export interface Verdict extends SocketVerdict, RequestVerdict {}

/** Checked limits. Throws an Error that names field, value and what was expected. */
export function paceLimits(
  options: { floor_kbps?: number; ceiling_kbps?: number; switchedOff?: boolean } = {},
): PaceLimits {
  const { floor_kbps, ceiling_kbps, switchedOff = false } = options;
  const check = (field: string, value: number | undefined): void => {
    if (value === undefined || (value > 0 && value <= RTP_MAX_KBPS)) return;
    throw new Error(`${field} is ${value}; expected kbit/s above 0 and at most ${RTP_MAX_KBPS}`);
  };
  check('floor_kbps', floor_kbps);
  check('ceiling_kbps', ceiling_kbps);
  if (floor_kbps !== undefined && ceiling_kbps !== undefined && floor_kbps > ceiling_kbps) {
    throw new Error(`floor_kbps is ${floor_kbps}; expected at most ceiling_kbps, which is ${ceiling_kbps}`);
  }
  return {
    ...(floor_kbps !== undefined && { floor: kbps(floor_kbps) }),
    ...(ceiling_kbps !== undefined && { ceiling: kbps(ceiling_kbps) }),
    switchedOff,
  };
}

/**
 * The pace of one response, from its request alone: nothing that came before it, and nothing in it can
 * throw. What is absurd is served unpaced, since no viewer should suffer for a mangled request.
 */
export function decidePace(request: PaceRequest, limits: PaceLimits): RequestVerdict {
  const cmcd = readCmcd(request);
  const { rtp, bitrate, fromPlugin } = cmcd;
  if (limits.switchedOff) return unpaced('switched-off', rtp && 'pace' in rtp ? rtp.pace : null);
  if (rtp === null) return unpaced('no-rtp', null);
  if ('refused' in rtp) return unpaced(`refused:${rtp.refused}`, null);

  const asked = rtp.pace;
  const safe = fromPlugin || bitrate === null ? asked : leastForForeign(bitrate);
  const [pace, reason] =
    safe > asked ? clamp(safe, 'foreign-player', limits) : clamp(asked, 'requested', limits);
  return { pace, reason, asked, ...decideConnectionPace(cmcd, asked, limits) };
}

/** A response that is served unpaced. A connection that it shares with others is not paced either: it is not to wait for them. */
export const unpaced = (reason: PaceReason, asked: Kbps | null): RequestVerdict => ({
  pace: null,
  reason,
  asked,
  connectionPace: null,
  connectionReason: reason,
});

/** What the plug-in has under way at the origin, since it knows; the paces of other players' requests are not added up. */
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

const leastForForeign = (bitrate: Kbps): Kbps =>
  kbps(Math.min(RTP_MAX_KBPS, Math.ceil(bitrate * FOREIGN_BITRATES)));

/** The whole verdict on a response that is served at this pace. */
export function completeVerdict(served: RequestVerdict, { congestionControl }: ResponsePolicy): Verdict {
  return {
    ...served,
    congestionControl: congestionControl ? chooseCongestionControl(congestionControl, served.pace) : null,
  };
}
