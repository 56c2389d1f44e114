/** The measurements of one session by `playVideo`. */
export interface VideoStart {
  /** On the clock of `performance.timeOrigin + performance.now()`. */
  readonly requested_ms: number;
  readonly play_delay_ms: number;
}

/**
 * Plays a video with stock dash.js, in a page that has `window.dashjs`, and resolves when it plays; playback continues
 * until the page is closed. It is evaluated in the page, so it must not refer to anything outside of its body. Its
 * inner functions must have no names, because the compiler would add calls of a helper that does not exist in the page.
 */
export async function playVideo({
  manifestUrl,
  patience_s,
}: {
  readonly manifestUrl: string;
  readonly patience_s: number;
}): Promise<VideoStart> {
  const { dashjs } = window as unknown as { dashjs?: typeof import('dashjs') };
  if (!dashjs) throw new Error(`${location.href} has no window.dashjs`);
  const video = document.body.appendChild(document.createElement('video'));
  video.muted = true;
  const player = dashjs.MediaPlayer().create();
  const requested = performance.now();
  player.initialize(video, manifestUrl, true);
  const playing = await new Promise<number>((resolve, reject) => {
    video.addEventListener('playing', () => resolve(performance.now()), { once: true });
    player.on('error', ({ error }) => reject(new Error(typeof error === 'string' ? error : error.message)));
    setTimeout(() => reject(new Error(`it did not play within ${patience_s} s`)), patience_s * 1000);
  });
  return { requested_ms: performance.timeOrigin + requested, play_delay_ms: playing - requested };
}
