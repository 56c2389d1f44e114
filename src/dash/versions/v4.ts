import { makeLadder, type Ladder } from '../../film/ladder.ts';
import { attempt } from '../../attempt.ts';
import { type DashPlayer } from '../player.ts';
import type { DashAttachment } from '../session.ts';
import type { Installation } from '../../host/attachment.ts';
import { listenToPlayback } from '../playback-events.ts';
import type { Adapter } from './adapter.ts';
import { followRequests, rungId, type FragmentRequestV4, type LoadingEnd } from './requests-v4.ts';
import { RtpSetting } from './rtp-setting.ts';
import { addRules, type Dialect, type RulesContext } from '../rules.ts';
import { isQualityFixed, readSetting } from '../settings.ts';
import { takeover } from '../takeover.ts';

/**
 * dash.js 4.7 has no interceptors. When it creates a request, it fires `fragmentLoadingStarted` synchronously, and then
 * reads `rtp` from its CMCD settings. A listener that changes this setting therefore sets the `rtp` of that request.
 */
interface DashPlayerV4 extends DashPlayer {
  on(
    type: string,
    listener: (event: never) => void,
    scope?: object,
    options?: { readonly priority: number },
  ): void;
  attachSource(source: string | object, startTime?: number): void;
  attachView(view: HTMLVideoElement): void;
  getBitrateInfoListFor(type: string): { readonly bitrate: number; readonly qualityIndex: number }[];
}

/**
 * The event that dash.js fires before it processes a response, and the priority of the listener that is called first.
 */
const LOADED = 'loadingCompleted';
const FIRST_PRIORITY = { priority: 5000 };

interface RulesContextV4 extends RulesContext {
  getMediaInfo(): {
    readonly type: string;
    readonly streamInfo: { readonly id: string };
    readonly bitrateList?: readonly { readonly bandwidth: number; readonly id?: string | null }[];
  };
  getCurrentRequest(): FragmentRequestV4;
  getAbrController(): {
    getMaxAllowedIndexFor(type: string, streamId: string): number | undefined;
    getMinAllowedIndexFor(type: string, streamId: string): number | undefined;
  };
}

/**
 * The priority of Sammy's rules (`SwitchRequest.PRIORITY.STRONG`), above the built-in rules, because 4.7 cannot switch
 * these off during playback.
 */
const PRIORITY = 1;

export const V4: Adapter = {
  versions: /^v?4\.([7-9]|\d\d)/,
  restartsPlayback: true,
  install: (player, attachment) => installV4(player as DashPlayerV4, attachment),
};

/** Keeps the ladders that dash.js reported when it last called Sammy's rule. */
function readLadders(player: DashPlayerV4) {
  /** The ladder of the last choice, by media type. */
  const ladders = new Map<string, Ladder>();

  const dialect: Dialect<RulesContextV4> = {
    noChange: { quality: -1, reason: null, priority: PRIORITY },
    /**
     * Returns the rungs within dash.js's minimum and maximum bitrate, and a function that converts a rung to an index
     * into dash.js's list.
     */
    readRungs(context) {
      const { type, streamInfo, bitrateList = [] } = context.getMediaInfo();
      const abr = context.getAbrController();
      const lowest = abr.getMinAllowedIndexFor(type, streamInfo.id) ?? 0;
      const highest = abr.getMaxAllowedIndexFor(type, streamInfo.id) ?? bitrateList.length - 1;
      const allowed = bitrateList
        .map(({ bandwidth, id }, index) => ({ id: rungId(index, id), bandwidth, index }))
        .filter(({ index }) => index >= lowest && index <= highest);
      const ladder = makeLadder(allowed);
      if (ladder) ladders.set(type, ladder);
      return {
        ladder,
        switchTo: ({ id }) => ({ quality: allowed.find((rung) => rung.id === id)?.index ?? -1 }),
      };
    },
  };

  return {
    dialect,
    /**
     * The available rungs: a single one if the viewer has fixed the quality, and all rungs of the manifest before a rule has
     * run.
     */
    ladderFor({ mediaType, quality, representationId }: FragmentRequestV4): Ladder | undefined {
      const fixed = isQualityFixed(player, mediaType);
      const bitrates = () =>
        (attempt(() => player.getBitrateInfoListFor(mediaType)) ?? [])
          .filter(({ qualityIndex }) => !fixed || qualityIndex === quality)
          .map(({ bitrate, qualityIndex }) => ({
            id: qualityIndex === quality ? rungId(quality, representationId) : String(qualityIndex),
            bandwidth: bitrate,
          }));
      return (fixed ? undefined : ladders.get(mediaType)) ?? makeLadder(bitrates());
    },

    forget(): void {
      ladders.clear();
    },
  };
}

/**
 * Attaches the source again, because 4.7 reads custom rules only when a source is attached. If nothing has played yet,
 * attaches the view again instead, with which dash.js attaches the source at its original start time.
 */
function attachSourceAgain(player: DashPlayerV4): void {
  const source = player.isReady() ? attempt(() => player.getSource()) : undefined;
  if (source === undefined) return;
  const playhead = attempt(() => player.getVideoElement().currentTime) ?? 0;
  if (playhead > 0) player.attachSource(source, playhead);
  else player.attachView(player.getVideoElement());
}

function listenFirst(player: DashPlayerV4, listener: (end: LoadingEnd) => void): () => void {
  player.on(LOADED, listener, undefined, FIRST_PRIORITY);
  return () => player.off(LOADED, listener);
}

function installV4(player: DashPlayerV4, attachment: DashAttachment): Installation {
  const known = readLadders(player);
  const rtp = new RtpSetting(player, () => attachment.currentSession.core.options.cmcd);
  const { onStarted, onCmcd, onMetric, onEnded } = followRequests(attachment, known, rtp);
  const settings = takeover(
    player,
    attachment,
    ['streaming.abr.additionalAbrRules.abandonRequestsRule'],
    (type) => Number(readSetting(player, `streaming.abr.initialRepresentationRatio.${type}`)) >= 0,
  );
  settings.apply();
  const rules = addRules(player, attachment, known.dialect, settings);
  const stopListening = listenToPlayback(player, attachment, {
    fragmentLoadingStarted: onStarted,
    cmcdDataGenerated: onCmcd,
    fragmentLoadingAbandoned: onEnded(true),
    metricAdded: onMetric,
    manifestLoaded: settings.readManifest,
  });
  const stopHearing = listenFirst(player, onEnded(false));
  attachSourceAgain(player);

  return {
    refresh() {
      // The source, and therefore the ladder, may have changed.
      known.forget();
      settings.apply();
    },
    uninstall() {
      stopListening();
      stopHearing();
      rules.remove();
      rtp.set(undefined);
      settings.restore();
    },
  };
}
