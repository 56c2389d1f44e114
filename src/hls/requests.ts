import { overrideProperties } from '../host/override-properties.ts';
import { findMediaType } from './levels.ts';
import { makeLoaderClass, type Follow } from './loader.ts';
import type { HlsPlayer, LoaderClass, LoaderStats, MediaRequest } from './player.ts';
import type { HlsAttachment } from './session.ts';

/**
 * Makes hls.js load fragments with Sammy's loader, which wraps the present loader, or one that other code sets later.
 * Returns a function that restores the wrapped loader.
 */
export function installLoader(hls: HlsPlayer, attachment: HlsAttachment): () => void {
  const { config } = hls;
  /** Undefined after a detach, because hls.js may still use the loader. */
  let follow: Follow | undefined = followRequests(hls, attachment);
  let wrapped: LoaderClass | undefined;
  let installed: LoaderClass | undefined;
  const wrap = (next: LoaderClass | undefined): void => {
    wrapped = next;
    const SammyLoader = makeLoaderClass(
      (given) => new (next ?? (config.loader as LoaderClass))(given),
      // The application's loader may itself use a loader that was installed before.
      (...request) => (installed === SammyLoader ? follow?.(...request) : undefined),
    );
    installed = SammyLoader;
  };
  wrap(config.fLoader);
  const restore = overrideProperties(config, {
    fLoader: {
      get: () => installed,
      set(next: LoaderClass | undefined) {
        if (next === installed) return;
        attachment.warnings.warn('settings-overridden', "other code changed Sammy's settings");
        wrap(next);
      },
    },
  });
  return () => {
    follow = undefined;
    restore();
    Object.assign(config, { fLoader: wrapped });
  };
}

/** Adds the pace to each segment's request, and cancels downloads without data and downloads that are too slow. */
const followRequests =
  (hls: HlsPlayer, attachment: HlsAttachment): Follow =>
  ({ frag, part, url }, stats, giveUp) =>
    attachment.guarded(() => {
      const mediaType = findMediaType(hls, frag.type);
      if (!mediaType) return undefined;
      const { currentSession: session } = attachment;
      const level = (frag.type as string) === 'main' ? frag.level : undefined;
      const request: MediaRequest = { mediaType, url, frag, part, level };
      const check = () => {
        const lower = session.chooseReplacementLevel(request, stats());
        if (lower !== undefined) switchDown(hls, request, stats(), lower);
      };
      const { put } = session.requesting(request, { giveUp, check, receivedBytes: () => stats().loaded });
      return {
        put,
        end: (how) => attachment.guarded(() => session.requestEnded(request, how).repeats) ?? false,
      };
    });

/** Restarts a download at another level, with the same steps as hls.js's own abandonment rule. */
function switchDown(hls: HlsPlayer, { frag, part }: MediaRequest, stats: LoaderStats, level: number): void {
  hls.nextLoadLevel = level;
  frag.abortRequests();
  hls.trigger('hlsFragLoadEmergencyAborted', { frag, part, stats });
}
