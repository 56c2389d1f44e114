import { readNetworkEstimate } from '../host/network-estimate.ts';
import { overrideProperties } from '../host/override-properties.ts';
import type { HlsAttachment } from './session.ts';
import type { HlsPlayer } from './player.ts';

/** Makes Sammy choose instead of hls.js, until `restore`. */
export type Takeover = ReturnType<typeof takeOver>;

/**
 * Lets Sammy choose the levels instead of hls.js. hls.js reads the next level from a public property that its class
 * defines. The adapter defines a property with the same name on the player object; removing it restores the original.
 * As in hls.js, a level that hls.js or the application sets (a start level, or a level after errors) is used until one
 * of its segments has been loaded.
 */
export function takeOver(hls: HlsPlayer, attachment: HlsAttachment) {
  const prototype = Object.getPrototypeOf(hls) as object;
  const own = (name: string) => Reflect.get(prototype, name, hls) as number;
  let forced: number | undefined;
  let chosen: number | undefined;

  const choose = (ownChoice: number): number => {
    const level = attachment.guarded(() => {
      const { currentSession: session } = attachment;
      if (session.core.choosesRungs && forced !== undefined && hls.levels[forced]) return forced;
      return session.chooseLevel(session.lastLevel >= 0 ? session.lastLevel : ownChoice);
    });
    return (chosen = level ?? ownChoice);
  };
  // Reading hls.js's own choice also makes hls.js check which levels the browser can decode.
  const restoreLevels = overrideProperties(hls, {
    firstAutoLevel: { get: () => choose(own('firstAutoLevel')) },
    nextAutoLevel: {
      get: () => choose(own('nextAutoLevel')),
      set(level: number) {
        // hls.js itself sets the property to the value that it has just read, which does not force a level.
        if (level !== chosen) forced = level;
        Reflect.set(prototype, 'nextAutoLevel', level, hls);
      },
    },
    startLevel: {
      get() {
        const level = own('startLevel');
        // With -1, hls.js tests the bandwidth with a segment that it discards, which a known network makes unnecessary.
        if (level !== -1) return level;
        return (
          attachment.guarded(() => attachment.currentSession.chooseLevel(own('firstAutoLevel'))) ?? level
        );
      },
      set: (level: number) => Reflect.set(prototype, 'startLevel', level, hls),
    },
  });
  const estimator = correctEstimator(hls, attachment);
  return {
    /** Call this when options or the session have changed. */
    refresh: () => {
      forced = chosen = undefined;
    },
    /** Called when a request for a fragment is about to be made. */
    fragmentRequested() {
      estimator.correct();
      // Stop hls.js's own rule for abandoning downloads, whose timer starts with each request.
      if (attachment.currentSession.core.choosesRungs) hls.abrController?.clearTimer?.();
    },
    /** Called when a segment of a level has been loaded. */
    levelLoaded(level: number) {
      attachment.currentSession.lastLevel = level;
      if (level === forced) forced = undefined;
    },
    /** Called at the end of a source, so that hls.js does not begin the next one with the throughput of paced segments. */
    sourceEnding: estimator.handOver,
    restore() {
      restoreLevels();
      estimator.restore();
    },
  };
}

/**
 * Replaces hls.js's estimate by Sammy's estimate of the network's throughput, because hls.js would estimate the
 * throughput of paced downloads.
 */
function correctEstimator(hls: HlsPlayer, attachment: HlsAttachment) {
  /** The estimator that is corrected. hls.js creates a new one when it resets the estimate. */
  let corrected: object | undefined;
  let giveBack: (() => void) | undefined;
  const estimate = () =>
    attachment.currentSession.knowsNetwork ? readNetworkEstimate(attachment) : undefined;
  /** Makes hls.js's own estimate continue from the network's throughput. */
  const handOver = (): void => {
    const last = estimate();
    if (last === undefined) return;
    const { config } = hls;
    const { abrEwmaDefaultEstimate } = config;
    hls.bandwidthEstimate = last;
    config.abrEwmaDefaultEstimate = abrEwmaDefaultEstimate;
    // Without a sample, hls.js 1.6 uses the configured default: one second at this throughput, in bytes.
    hls.abrController?.bwEstimator?.sample?.(1000, last / 8);
  };
  return {
    correct(): void {
      const { bwEstimator } = hls.abrController ?? {};
      if (!bwEstimator || bwEstimator === corrected) return;
      corrected = bwEstimator;
      const getEstimate = bwEstimator.getEstimate.bind(bwEstimator);
      giveBack = overrideProperties(bwEstimator, {
        getEstimate: { value: () => estimate() ?? getEstimate() },
      });
    },
    handOver,
    restore(): void {
      giveBack?.();
      handOver();
    },
  };
}
