import { attempt } from '../attempt.ts';
import type { Decision } from '../decision.ts';
import { demand } from '../demand.ts';
import { listenTo } from '../host/listen-to.ts';
import {
  MEDIA_SEGMENT,
  type DashPlayer,
  type FragmentRequest,
  type MediaPlayerLike,
} from '../dash/player.ts';
import { addKeys, hasPaceKeys, type CmcdCarrier } from '../host/cmcd.ts';
import type { SammyHandle } from '../host/handle.ts';
import { getOrigin } from '../host/origin.ts';
import { kbps, seconds, type Kbps, type Seconds } from '../units.ts';
import { CHANGE_OFFER, CHANGE_PATH, PLUGIN_KEY, roundUpToRtp } from '../wire/rtp.ts';
import { splitMembers } from '../wire/structured-field.ts';
import { isWorthwhile, wantedRates, type Rates } from './change.ts';
import { paceFloor } from './floor.ts';
import { loopKeys } from './loop-keys.ts';
import { readRemainder } from './segment-remainder.ts';

export interface LoopOptions {
  /**
   * The buffer level to build up even while other traffic competes, s; 1 to 120. Above this level, the edge may lower a
   * paced segment's rate to its bitrate.
   * @defaultValue 15
   */
  readonly reserve_s?: number;
}

export interface Loop {
  /** The number of pace changes requested so far. */
  readonly changes: number;
  /** Stops adding floors to requests and changing paces. */
  detach(): void;
}

interface SentRequest extends CmcdCarrier {
  readonly customData?: { readonly request?: FragmentRequest };
}

interface Response {
  readonly request: SentRequest;
  readonly headers?: Readonly<Record<string, string>>;
}

interface InterceptingPlayer extends DashPlayer {
  addRequestInterceptor(interceptor: (request: SentRequest) => Promise<SentRequest>): void;
  removeRequestInterceptor(interceptor: (request: SentRequest) => Promise<SentRequest>): void;
  addResponseInterceptor(interceptor: (response: Response) => Promise<Response>): void;
  removeResponseInterceptor(interceptor: (response: Response) => Promise<Response>): void;
}

interface PendingSegment {
  readonly request: FragmentRequest;
  readonly decision: Decision;
  readonly asked: { readonly pace: Kbps; readonly floor: Kbps };
  readonly origin: string;
  /** The secret of this response; undefined if the edge does not support changes. */
  readonly secret: string | undefined;
  current: Rates;
}

/** Interval of the checks of segments in flight, ms. */
const CHECK_INTERVAL_MS = 250;

/**
 * Lets an edge yield to other traffic, and changes the pace of segments in flight, for a dash.js 5 player with Sammy.
 * The request of each paced segment has a floor: the lowest rate to which the edge may slow the segment for other
 * traffic. If the buffer level falls while a segment is in flight, for example after a seek or at faster playback, the
 * segment's pace is raised. Edges without these features pace as usual. Throws an Error if an option is out of range or
 * the player is not dash.js 5.
 */
export function closeLoop(
  mediaPlayer: MediaPlayerLike,
  sammy: Pick<SammyHandle, 'on'>,
  options: LoopOptions = {},
): Loop {
  const { reserve_s = 15 } = options;
  demand(reserve_s >= 1 && reserve_s <= 120, 'option reserve_s', reserve_s, '1 to 120');
  demand('addRequestInterceptor' in mediaPlayer, 'closeLoop: player', mediaPlayer, 'a dash.js 5 MediaPlayer');
  const player = mediaPlayer as InterceptingPlayer;
  const segments = new Segments(player, seconds(reserve_s));
  const onRequest = createInterceptor((sent: SentRequest) => segments.requested(sent));
  const onResponse = createInterceptor((response: Response) => segments.responded(response));
  const install = () => {
    player.addRequestInterceptor(onRequest);
    player.addResponseInterceptor(onResponse);
  };
  const uninstall = () => {
    player.removeRequestInterceptor(onRequest);
    player.removeResponseInterceptor(onResponse);
  };
  const checkPaces = () => attempt(() => segments.checkPaces());
  let isDetached = false;
  const stopDecisions = sammy.on('request', (decision) => segments.decided(decision));
  const stopListening = listenTo(player, {
    playbackSeeked: checkPaces,
    playbackRateChanged: checkPaces,
    streamTeardownComplete() {
      segments.clear();
      // These interceptors must run after Sammy's. Sammy reinstalls its own in a microtask, so reinstall these one
      // microtask later.
      queueMicrotask(() => {
        queueMicrotask(() => {
          if (isDetached) return;
          uninstall();
          install();
        });
      });
    },
  });
  const timer = setInterval(checkPaces, CHECK_INTERVAL_MS);
  install();
  return {
    get changes() {
      return segments.changes;
    },
    detach() {
      isDetached = true;
      clearInterval(timer);
      stopDecisions();
      stopListening();
      uninstall();
    },
  };
}

/** The paced segments in flight, one per media type. */
class Segments {
  changes = 0;
  readonly #decisions = new Map<string, Decision>();
  readonly #pending = new Map<string, PendingSegment>();
  /** The origins whose edges support changes. */
  readonly #offering = new Set<string>();

  constructor(
    readonly player: DashPlayer,
    readonly reserve: Seconds,
  ) {}

  decided(decision: Decision): void {
    this.#decisions.set(decision.media_type, decision);
  }

  /** Adds the floor to a paced request and, if the edge supports changes, a secret. */
  requested(sent: SentRequest): void {
    const request = sent.customData?.request;
    if (!request) return;
    this.#pending.delete(request.mediaType);
    const decision = this.#decisions.get(request.mediaType);
    if (!decision?.requested_kbps || request.type !== MEDIA_SEGMENT || !hasPaceKeys(sent)) return;
    if (decision.segment_start_s !== request.startTime) return;
    const origin = getOrigin(sent.url);
    const pace = kbps(decision.requested_kbps);
    const asked = {
      pace,
      floor: roundUpToRtp(paceFloor({ ...decision, requested_kbps: pace }, this.reserve)),
    };
    const secret = this.#offering.has(origin) ? newSecret() : undefined;
    addKeys(sent, loopKeys(asked.floor, secret));
    this.#pending.set(request.mediaType, { request, decision, asked, origin, secret, current: asked });
  }

  responded({ request: { url, customData }, headers }: Response): void {
    const request = customData?.request;
    const type = request?.mediaType ?? '';
    if (this.#pending.get(type)?.request === request) this.#pending.delete(type);
    const timing = splitMembers(headers?.['server-timing'] ?? '');
    // Read only the members after the last `pace`: they are the last hop's. Earlier members may come from a cache.
    const last = timing.findLastIndex((member) => member.startsWith('pace;'));
    if (last >= 0 && timing.indexOf(CHANGE_OFFER, last) > last) this.#offering.add(getOrigin(url));
  }

  /**
   * Requests a higher pace for segments that would be late, and the original pace for segments that would not be late
   * any more.
   */
  checkPaces(): void {
    for (const each of this.#pending.values()) {
      if (each.secret === undefined) continue;
      const wanted = wantedRates(each.asked, readRemainder(this.player, each.request, each.decision));
      if (!isWorthwhile(each.current, wanted)) continue;
      each.current = wanted;
      this.changes += 1;
      requestChange(each.origin, [
        PLUGIN_KEY,
        ...loopKeys(wanted.pace && wanted.floor, each.secret),
        ...(wanted.pace === null ? [] : [`rtp=${wanted.pace}`]),
      ]);
    }
  }

  clear(): void {
    this.#pending.clear();
  }
}

/** 128 random bits in hexadecimal; undefined if the browser has no random source. */
const newSecret = (): string | undefined =>
  attempt(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  );

/** Requests a change. The answer is ignored: if the edge refuses, the response continues unchanged. */
function requestChange(origin: string, keys: readonly string[]): void {
  const url = `${origin}${CHANGE_PATH}?CMCD=${encodeURIComponent(keys.join(','))}`;
  void fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true }).catch(
    () => undefined,
  );
}

/** Creates an interceptor that passes every message on, even if `act` throws. */
const createInterceptor =
  <Message>(act: (message: Message) => void) =>
  (message: Message): Promise<Message> => {
    attempt(() => {
      act(message);
    });
    return Promise.resolve(message);
  };
