import { makeLadder, rungsUpTo, type Ladder, type Rung } from '../../film/ladder.ts';
import type { CmcdCarrier } from '../../host/cmcd.ts';
import type { RequestEnd } from '../../host/page-session.ts';
import type { IndexedSegment } from '../index-sizes.ts';
import { attempt } from '../../attempt.ts';
import { isMediaRequest, totalTime, type DashPlayer, type FragmentRequest, type Traces } from '../player.ts';
import { isQualityFixed, readSetting, writeSetting } from '../settings.ts';
import type { DashAttachment } from '../session.ts';
import type { Installation } from '../../host/attachment.ts';
import { listenToPlayback } from '../playback-events.ts';
import type { Adapter } from './adapter.ts';
import { addRules, type Dialect, type RulesContext } from '../rules.ts';
import { takeover } from '../takeover.ts';
import type { Kbps } from '../../units.ts';
import { roundUpToRtp } from '../../wire/rtp.ts';

/**
 * The part of dash.js 5 that is missing in 4.7. Interceptors receive every request and response, and rules can be
 * switched off during playback.
 */
interface DashPlayerV5 extends DashPlayer {
  addRequestInterceptor(interceptor: (request: CommonMediaRequest) => Promise<CommonMediaRequest>): void;
  removeRequestInterceptor(interceptor: (request: CommonMediaRequest) => Promise<CommonMediaRequest>): void;
  addResponseInterceptor(interceptor: (response: CommonMediaResponse) => Promise<CommonMediaResponse>): void;
  removeResponseInterceptor(
    interceptor: (response: CommonMediaResponse) => Promise<CommonMediaResponse>,
  ): void;
  getRepresentationsByType(type: string, streamId?: string | null): Representation[];
}

interface Representation {
  readonly id: string;
  readonly bandwidth: number;
  readonly segments?: readonly IndexedSegment[] | null;
  readonly mediaInfo?: { readonly streamInfo?: { readonly id: string } };
}

interface FragmentRequestV5 extends FragmentRequest {
  readonly traces?: Traces;
  readonly representation: Representation | null;
}

/** The keys of a request's CMCD before serialization. dash.js 5.2 reports them again when the response has arrived. */
interface CmcdKeys {
  rtp?: number;
}

interface CommonMediaRequest extends CmcdCarrier {
  cmcd?: CmcdKeys | null;
  customData?: {
    request?: FragmentRequestV5;
    cmcd?: CmcdKeys;
    /** Undefined if dash.js has aborted the request. */
    onloadend?: unknown;
  };
}

interface CommonMediaResponse {
  readonly request: CommonMediaRequest;
  /** The URL after redirects. */
  readonly url?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  data?: { readonly byteLength?: number } | null;
}

interface RulesContextV5 extends RulesContext {
  getMediaInfo(): unknown;
  getCurrentRequest(): FragmentRequestV5;
  getAbrController(): {
    getPossibleVoRepresentationsFilteredBySettings(mediaInfo: unknown, compatible: boolean): Representation[];
  };
}

interface QualityChange {
  readonly mediaType: string;
  readonly reason?: { readonly rule?: string } | null;
}

/**
 * The default priority (`SwitchRequest.PRIORITY.DEFAULT`). Of several rules with the same priority, dash.js takes the
 * lowest rung.
 */
const PRIORITY = 0.5;

const RULES = 'streaming.abr.rules';

/** The setting that enables one of dash.js's rules. */
const activeSetting = (rule: string): string => `${RULES}.${rule}.active`;

/**
 * The settings of the built-in rules that compete with Sammy: all except the dropped-frames rule, which concerns the
 * decoder and not the network.
 */
const competingRules = (player: DashPlayer): readonly string[] =>
  Object.keys(readSetting(player, RULES) ?? {})
    .filter((rule) => rule !== 'droppedFramesRule')
    .map(activeSetting);

/** 5.0.0 and 5.0.1 are not supported, because they ignore custom abandonment rules. */
export const V5: Adapter = {
  versions: /^v?5\.(?!0\.[01]\b)/,
  restartsPlayback: false,
  install: (player, attachment) => installV5(player as DashPlayerV5, attachment),
};

/** Keeps the ladders that dash.js reported when it last called Sammy's rule. */
function readLadders(player: DashPlayerV5) {
  /**
   * The ladder of the last choice, by period and media type. Cached, because reading it from dash.js takes longer than
   * the decision.
   */
  const ladders = new Map<string, Ladder | undefined>();
  /** Whether a rule other than Sammy's made the last change of quality, by media type. */
  const overruled = new Map<string, boolean>();

  const dialect: Dialect<RulesContextV5> = {
    noChange: { representation: null, reason: null, priority: PRIORITY },
    readRungs(context) {
      const representations = context
        .getAbrController()
        .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
      const ladder = toLadder(representations);
      ladders.set(ladderKey(representations[0]?.mediaInfo?.streamInfo?.id, context.getMediaType()), ladder);
      return {
        ladder,
        switchTo: (rung) => ({ representation: representations.find(({ id }) => id === rung.id) ?? null }),
      };
    },
  };

  return {
    dialect,
    onQualityChange: ({ mediaType, reason }: QualityChange): void => {
      overruled.set(mediaType, !reason?.rule?.startsWith('Sammy'));
    },
    /**
     * The available rungs: a single one if the viewer has fixed the quality, and none above the rung to which another rule,
     * such as the dropped-frames rule, limits the player. `wanted` is the last choice of Sammy's rule.
     */
    ladderFor(
      { mediaType, representation }: FragmentRequestV5,
      wanted: Rung | undefined,
    ): Ladder | undefined {
      if (representation && isQualityFixed(player, mediaType)) return toLadder([representation]);
      const streamId = representation?.mediaInfo?.streamInfo?.id;
      const known = ladders.get(ladderKey(streamId, mediaType));
      const rung = known?.find(({ id }) => id === representation?.id);
      if (!known || !rung)
        return toLadder(attempt(() => player.getRepresentationsByType(mediaType, streamId)));
      const heldDown = overruled.get(mediaType) && wanted && wanted.bitrate_kbps > rung.bitrate_kbps;
      return heldDown ? rungsUpTo(known, rung.bitrate_kbps) : known;
    },
    forget(): void {
      ladders.clear();
      overruled.clear();
    },
  };
}

const ladderKey = (streamId: string | undefined, mediaType: string): string =>
  `${streamId ?? ''} ${mediaType}`;

const toLadder = (representations: readonly Representation[] | undefined): Ladder | undefined =>
  representations && makeLadder(representations);

function installV5(player: DashPlayerV5, attachment: DashAttachment): Installation {
  const known = readLadders(player);

  const pace = (media: CommonMediaRequest) => {
    const request = media.customData?.request;
    if (!request || !isMediaRequest(request)) return;
    const { currentSession: session } = attachment;
    const { put, pace } = session.requested(
      request,
      known.ladderFor(request, rules.chosen.get(request.mediaType)),
      request.representation ?? { id: '', bandwidth: NaN },
    );
    put(media);
    if (session.core.options.pacing) reportRtp(media, pace);
  };
  const learn = (response: CommonMediaResponse) => {
    const { request, onloadend } = response.request.customData ?? {};
    if (!request) return;
    // Without data, dash.js treats the response as a failure and appends nothing.
    if (
      attachment.currentSession.responded(request, readResponse(response, request, onloadend === undefined))
    )
      response.data = null;
  };
  const interceptor =
    <Message>(intercept: (message: Message) => void) =>
    (message: Message): Promise<Message> => {
      attachment.guarded(() => {
        intercept(message);
      });
      return Promise.resolve(message);
    };
  const onRequest = interceptor(pace);
  const onResponse = interceptor(learn);

  const settings = takeover(player, attachment, competingRules(player));

  // The order matters: disable dash.js's own rules, then register Sammy's rules, and then write another rule setting.
  // Whenever such a setting is written, dash.js adds the registered custom rules, or its BOLA and throughput rules if
  // no rule is left. The last write therefore adds Sammy's rules and removes this fallback.
  settings.apply();
  const rules = addRules(player, attachment, known.dialect, settings);
  reloadRules(player);
  const stopListening = listenToPlayback(player, attachment, {
    qualityChangeRequested: known.onQualityChange,
    manifestLoaded: settings.readManifest,
  });
  player.addRequestInterceptor(onRequest);
  player.addResponseInterceptor(onResponse);

  return {
    refresh() {
      // The source, and therefore the ladder, may have changed.
      known.forget();
      rules.chosen.clear();
      settings.apply();
    },
    uninstall() {
      stopListening();
      player.removeRequestInterceptor(onRequest);
      player.removeResponseInterceptor(onResponse);
      rules.remove();
      settings.restore();
      reloadRules(player);
    },
  };
}

/** Makes dash.js reread the custom rules, by writing the setting of a rule unchanged. */
function reloadRules(player: DashPlayerV5): void {
  const path = activeSetting('l2ARule');
  writeSetting(player, path, readSetting(player, path));
}

/** Collects the data about a response. */
const readResponse = (
  { data, status = 0, url, headers }: CommonMediaResponse,
  { bytesLoaded, traces }: FragmentRequestV5,
  wasAborted: boolean,
): RequestEnd => ({
  // With fetch, an aborted or incomplete response still has a successful status, but no data.
  status: data || status >= 400 ? status : 0,
  url,
  // With fetch, `data` is only the part that dash.js has not processed yet, usually nothing.
  size_bytes: Math.max(data?.byteLength ?? 0, bytesLoaded || 0),
  // Both aborted and incomplete requests have status 0.
  aborted: !data && (bytesLoaded > 0 || wasAborted),
  receiving_ms: totalTime(traces),
  header: (name) => headers?.[name.toLowerCase()],
});

/** Makes the CMCD v2 events of dash.js 5.2 report the `rtp` that was sent, even if dash.js adds no CMCD to requests. */
function reportRtp(media: CommonMediaRequest, pace: Kbps | null): void {
  const reported = media.customData && (media.customData.cmcd ??= {});
  for (const keys of [reported, media.cmcd]) {
    if (!keys) continue;
    if (pace === null) delete keys.rtp;
    else keys.rtp = roundUpToRtp(pace);
  }
}
