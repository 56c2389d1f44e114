import { attempt } from '../attempt.ts';
import type { Decision } from '../decision.ts';
import { demand } from '../demand.ts';
import { listenTo } from '../dash/listen-to.ts';
import {
  MEDIA_SEGMENT,
  type DashPlayer,
  type FragmentRequest,
  type MediaPlayerLike,
} from '../dash/player.ts';
import { addKeys, carriesKeys, type CmcdCarrier } from '../host/cmcd.ts';
import type { SammyHandle } from '../host/handle.ts';
import { originOf } from '../host/origin.ts';
import { kbps, seconds, type Kbps, type Seconds } from '../units.ts';
import { CHANGE_OFFER, CHANGE_PATH, PLUGIN_KEY, roundUpToRtp } from '../wire/rtp.ts';
import { membersOf } from '../wire/structured-field.ts';
import { isWorthwhile, wantedRates, type Rates } from './change.ts';
import { floorOf } from './floor.ts';
import { loopKeys } from './loop-keys.ts';
import { restOf } from './rest.ts';

export interface LoopOptions {
  /**
   * The buffer to build up also beside others, s; 1 to 120. Above it a paced segment yields down to what plays.
   * @defaultValue 15
   */
  readonly reserve_s?: number;
}

export interface Loop {
  /** How many changes of a pace have been asked for. */
  readonly changes: number;
  /** From now on requests have no floors, and no pace is changed. */
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

interface UnderWay {
  readonly request: FragmentRequest;
  readonly decision: Decision;
  readonly asked: { readonly pace: Kbps; readonly floor: Kbps };
  readonly origin: string;
  /** The secret of this response; undefined where the edge takes no changes. */
  readonly secret: string | undefined;
  current: Rates;
}

/** Between two looks at what is under way, ms. */
const LOOK_EVERY_MS = 250;

/**
 * Closes the loop between the player and the edge's transport, for a dash.js 5 player with Sammy. Each paced segment says
 * the floor down to which it may yield to others, and where the buffer falls while one is under way, as after a seek or at
 * faster playback, its pace is raised. An edge that does neither is asked for the pace as before. Throws an Error that names
 * an option out of range, or a player that is not of dash.js 5.
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
  const onRequest = intercepting((sent: SentRequest) => segments.requested(sent));
  const onResponse = intercepting((response: Response) => segments.responded(response));
  const install = () => {
    player.addRequestInterceptor(onRequest);
    player.addResponseInterceptor(onResponse);
  };
  const uninstall = () => {
    player.removeRequestInterceptor(onRequest);
    player.removeResponseInterceptor(onResponse);
  };
  const look = () => attempt(() => segments.look());
  let isDetached = false;
  const stopDecisions = sammy.on('request', (decision) => segments.decided(decision));
  const stopListening = listenTo(player, {
    playbackSeeked: look,
    playbackRateChanged: look,
    streamTeardownComplete() {
      segments.clear();
      // Sammy installs itself anew in a microtask. What it puts into a request, this adds to, so it is to come after.
      queueMicrotask(() => {
        queueMicrotask(() => {
          if (isDetached) return;
          uninstall();
          install();
        });
      });
    },
  });
  const timer = setInterval(look, LOOK_EVERY_MS);
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

/** The paced segments under way, one of each media type. */
class Segments {
  /** The changes that were asked for. */
  changes = 0;
  readonly #decisions = new Map<string, Decision>();
  readonly #underWay = new Map<string, UnderWay>();
  /** The origins whose edges take changes. */
  readonly #offering = new Set<string>();

  constructor(
    readonly player: DashPlayer,
    readonly reserve: Seconds,
  ) {}

  decided(decision: Decision): void {
    this.#decisions.set(decision.media_type, decision);
  }

  /** Adds to a paced request its floor, and where the edge takes changes, a secret. */
  requested(sent: SentRequest): void {
    const request = sent.customData?.request;
    if (!request) return;
    this.#underWay.delete(request.mediaType);
    const decision = this.#decisions.get(request.mediaType);
    if (!decision?.requested_kbps || request.type !== MEDIA_SEGMENT || !carriesKeys(sent)) return;
    if (decision.segment_start_s !== request.startTime) return;
    const origin = originOf(sent.url);
    const pace = kbps(decision.requested_kbps);
    const asked = { pace, floor: roundUpToRtp(floorOf({ ...decision, requested_kbps: pace }, this.reserve)) };
    const secret = this.#offering.has(origin) ? newSecret() : undefined;
    addKeys(sent, loopKeys(asked.floor, secret));
    this.#underWay.set(request.mediaType, { request, decision, asked, origin, secret, current: asked });
  }

  responded({ request: { url, customData }, headers }: Response): void {
    const request = customData?.request;
    const type = request?.mediaType ?? '';
    if (this.#underWay.get(type)?.request === request) this.#underWay.delete(type);
    const timing = membersOf(headers?.['server-timing'] ?? '');
    // Of the last hop, after its reason for the pace: what is before may have been kept by a cache.
    const last = timing.findLastIndex((member) => member.startsWith('pace;'));
    if (last >= 0 && timing.indexOf(CHANGE_OFFER, last) > last) this.#offering.add(originOf(url));
  }

  /** Asks for another pace of what would be late, or no longer is. */
  look(): void {
    for (const each of this.#underWay.values()) {
      if (each.secret === undefined) continue;
      const wanted = wantedRates(each.asked, restOf(this.player, each.request, each.decision));
      if (!isWorthwhile(each.current, wanted)) continue;
      each.current = wanted;
      this.changes += 1;
      ask(each.origin, [
        PLUGIN_KEY,
        ...loopKeys(wanted.pace && wanted.floor, each.secret),
        ...(wanted.pace === null ? [] : [`rtp=${wanted.pace}`]),
      ]);
    }
  }

  clear(): void {
    this.#underWay.clear();
  }
}

/** 128 random bits in hexadecimal; undefined where the browser has none to give. */
const newSecret = (): string | undefined =>
  attempt(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  );

/** Asks for a change. Nobody waits for an answer: what is not changed goes on as it is. */
function ask(origin: string, keys: readonly string[]): void {
  const url = `${origin}${CHANGE_PATH}?CMCD=${encodeURIComponent(keys.join(','))}`;
  void fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true }).catch(
    () => undefined,
  );
}

/** An interceptor that lets every message pass, whatever happens in it. */
const intercepting =
  <Message>(act: (message: Message) => void) =>
  (message: Message): Promise<Message> => {
    attempt(() => {
      act(message);
    });
    return Promise.resolve(message);
  };
