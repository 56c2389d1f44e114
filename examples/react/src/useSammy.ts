import { MediaPlayer } from 'dashjs';
import { attachSammy, type AttachOptions, type CompletedDecision, type SammyHandle } from 'dashjs-sammy';
import { useEffect, useState, type RefCallback } from 'react';

interface Sammy {
  /** Attach this to the `ref` of the video element. */
  readonly video: RefCallback<HTMLVideoElement>;
  /** The player's plug-in, for `update` and `on`; null until the video element exists. */
  readonly sammy: SammyHandle | null;
  /** The latest downloaded video segment. */
  readonly decision: CompletedDecision | null;
}

/**
 * Plays the manifest with Sammy in the element whose `ref` is `video`. A new URL creates a new player; unmounting
 * destroys the player. `options` are used when the player is created; change them later with `sammy.update`.
 */
export function useSammy(manifestUrl: string, options?: AttachOptions): Sammy {
  const [element, video] = useState<HTMLVideoElement | null>(null);
  const [sammy, setSammy] = useState<SammyHandle | null>(null);
  const [decision, setDecision] = useState<CompletedDecision | null>(null);
  const [first] = useState(options);

  useEffect(() => {
    if (!element) return;
    const player = MediaPlayer().create();
    const attached = attachSammy(player, first);
    attached.on('decision', (each) => {
      if (each.media_type === 'video') setDecision(each);
    });
    player.initialize(element, manifestUrl, true);
    setSammy(attached);
    // In StrictMode, React also runs this cleanup right after the first mount, to check that nothing is left behind.
    return () => {
      attached.detach();
      player.destroy();
      setSammy(null);
      setDecision(null);
    };
  }, [element, manifestUrl, first]);

  return { video, sammy, decision };
}
