import { seconds } from '../units.ts';
import type { Hooks } from './hooks.ts';
import { findMediaType } from './levels.ts';
import type { Fragment, HlsPlayer, NetworkDetails } from './player.ts';
import { readPlayable } from './state.ts';
import type { Takeover } from './takeover.ts';

interface PlaylistLoaded {
  readonly networkDetails: NetworkDetails;
  readonly stats: { readonly loaded: number; readonly loading: { readonly start: number } };
  readonly details: { readonly url: string };
}

/**
 * Forwards the events of hls.js and of its media element to the current session. `sourceEnded` is called when another source is
 * loaded, to start the next session, and `destroyed` with the player. Returns a function that stops listening.
 */
export function listenToPlayback(
  hls: HlsPlayer,
  hooks: Hooks,
  takeover: Takeover,
  sourceEnded: () => void,
  destroyed: () => void,
): () => void {
  const core = () => hooks.session().core;
  const guarded =
    (listener: () => void): (() => void) =>
    () =>
      hooks.guarded(listener);
  const mediaListeners = Object.entries({
    play: () => hooks.session().playRequested(),
    playing: () => core().playing(),
    waiting: () => core().waiting(),
    pause: () => core().paused(),
    seeking() {
      // Before playback, hls.js itself moves the playhead to where it starts.
      if (core().phase !== 'initial') core().seeking(readPlayable(hls));
    },
    timeupdate() {
      if (hls.media) core().playhead(seconds(hls.media.currentTime), () => readPlayable(hls));
    },
  }).map(([type, listener]) => [type, guarded(listener)] as const);

  let media: HTMLMediaElement | null = null;
  const listenToMedia = (next: HTMLMediaElement | null) => {
    for (const [type, listener] of mediaListeners) {
      media?.removeEventListener(type, listener);
      next?.addEventListener(type, listener);
    }
    media = next;
  };
  const hlsListeners: Readonly<Record<string, (event: string, data: never) => void>> = {
    hlsMediaAttaching: (_, { media: next }: { readonly media: HTMLMediaElement }) => {
      listenToMedia(next);
    },
    hlsMediaDetaching: () => {
      listenToMedia(null);
    },
    hlsManifestLoading: () => {
      hooks.guarded(() => {
        if (hooks.session().begun) sourceEnded();
        takeover.refresh();
        hooks.session().manifestRequested();
      });
    },
    // The indexes of levels may be others.
    hlsLevelsUpdated: () => {
      hooks.session().lastLevel = -1;
      takeover.refresh();
    },
    hlsLevelLoaded: (_, { networkDetails, stats, details }: PlaylistLoaded) => {
      hooks.guarded(() => {
        hooks.session().playlistLoaded(details.url, stats.loading.start, stats.loaded, networkDetails);
      });
    },
    hlsFragLoading: () => {
      takeover.fragmentRequested();
    },
    hlsFragLoaded: (_, { frag }: { readonly frag: Fragment }) => {
      if (frag.type !== 'main' || frag.sn === 'initSegment' || !findMediaType(hls, frag)) return;
      hooks.session().lastLevel = frag.level;
      takeover.levelLoaded();
    },
    hlsDestroying: destroyed,
  };
  const each = (change: 'on' | 'off') => {
    for (const [type, listener] of Object.entries(hlsListeners)) hls[change](type, listener);
  };
  each('on');
  listenToMedia(hls.media);
  return () => {
    each('off');
    listenToMedia(null);
  };
}
