import { MediaPlayer } from 'dashjs';
import Hls from 'hls.js';
import shaka from 'shaka-player';
import { closeLoop } from '../../../../src/loop/index.ts';
import { attachSammy as attachToHls } from '../../../../src/hls.ts';
import { attachSammy as attachToShaka } from '../../../../src/shaka.ts';
import { attachSammy, type AttachOptions, type SammyHandle } from '../../../../src/index.ts';
import type { Arm } from '../../arms/arm.ts';
import type { Play, PlayerError } from '../../records/play.ts';
import {
  nameDashjsNetworkError,
  nameHlsjsNetworkError,
  nameShakaNetworkError,
  type ShakaError,
} from './network-errors.ts';

/** A player of the page with the plug-in attached. */
export interface PagePlayer {
  readonly sammy: SammyHandle;
  /** Requests the manifest and starts playback. */
  readonly begin: (video: HTMLVideoElement) => void;
  /** Seconds of video buffered. */
  readonly readBufferLevel: () => number;
  readonly destroy: () => void;
}

/** Makes a player. Its errors are added to `errors`. */
type MakePlayer = (
  play: Pick<Play, 'manifest' | 'buffer_s'>,
  arm: Arm,
  errors: PlayerError[],
  options: AttachOptions,
) => PagePlayer;

/** Describes an error, which the network has caused if it has a name as a network error. */
const makeError = (networkName: string | undefined, message: string): PlayerError =>
  networkName === undefined ? { message } : { message: networkName, byNetwork: true };

const makeDashjs: MakePlayer = ({ manifest, buffer_s }, arm, errors, options) => {
  const player = MediaPlayer().create();
  if (arm.settings) player.updateSettings(arm.settings);
  if (buffer_s !== undefined) {
    player.updateSettings({
      streaming: {
        buffer: {
          bufferTimeDefault: buffer_s,
          bufferTimeAtTopQuality: buffer_s,
          bufferTimeAtTopQualityLongForm: buffer_s,
        },
      },
    });
  }
  player.on('error', ({ error }) =>
    errors.push(
      typeof error === 'object'
        ? makeError(nameDashjsNetworkError(error), error.message)
        : { message: error },
    ),
  );
  const sammy = attachSammy(player, options);
  if (arm.loop) closeLoop(player, sammy);
  return {
    sammy,
    begin: (video) => player.initialize(video, manifest, true),
    readBufferLevel() {
      const level = player.isReady() ? player.getBufferLength('video') : 0;
      return Number.isFinite(level) ? level : 0;
    },
    destroy: () => player.destroy(),
  };
};

/** Starts playback. A session that ends before playback has started is not an error of the player. */
const startPlayback = (video: HTMLVideoElement, fail: (error: unknown) => void): void => {
  video.play().catch((error: unknown) => {
    if ((error as Error).name !== 'AbortError') fail(error);
  });
};

const makeHlsjs: MakePlayer = ({ manifest, buffer_s }, _, errors, options) => {
  const hls = new Hls({
    // The page without a browser has no workers. In a browser, workers only save time.
    enableWorker: false,
    ...(buffer_s !== undefined && { maxBufferLength: buffer_s, maxBufferSize: 0 }),
  });
  hls.on(Hls.Events.ERROR, (__, data) => {
    if (data.fatal) errors.push(makeError(nameHlsjsNetworkError(data), data.details));
  });
  return {
    sammy: attachToHls(hls, options),
    begin(video) {
      hls.loadSource(manifest.replace(/[^/]+$/, 'master.m3u8'));
      hls.attachMedia(video);
      startPlayback(video, (error) => errors.push({ message: String(error) }));
    },
    readBufferLevel: () => hls.mainForwardBufferInfo?.len ?? 0,
    destroy: () => hls.destroy(),
  };
};

const makeShaka: MakePlayer = ({ manifest, buffer_s }, _, errors, options) => {
  // Every application that uses Shaka must call this.
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  if (buffer_s !== undefined) player.configure('streaming.bufferingGoal', buffer_s);
  const fail = (error: unknown) =>
    errors.push(makeError(nameShakaNetworkError(error as ShakaError), describe(error)));
  player.addEventListener('error', (event) => fail((event as CustomEvent<unknown>).detail));
  return {
    sammy: attachToShaka(player, options),
    begin(video) {
      player
        .attach(video)
        .then(() => player.load(manifest))
        .then(() => startPlayback(video, fail))
        .catch(fail);
    },
    readBufferLevel() {
      const { currentTime = 0 } = player.getMediaElement() ?? {};
      const range = player.getBufferedInfo().video.find(({ end }) => end > currentTime);
      return range ? range.end - currentTime : 0;
    },
    destroy: () => void player.destroy(),
  };
};

/** Shaka reports an error as a number, a category and data. */
const describe = (error: unknown): string => {
  const { code, data, message } = error as {
    readonly code?: number;
    readonly data?: unknown;
    readonly message?: string;
  };
  return code === undefined ? String(message) : `Shaka error ${code}: ${JSON.stringify(data)}`;
};

export const PLAYERS = { dashjs: makeDashjs, hlsjs: makeHlsjs, shaka: makeShaka };
