/** The media element's events that tell whether it plays, by their names in HTML. */
export const PLAYBACK_EVENTS = ['playing', 'waiting', 'seeking', 'pause'] as const;

/** What happened to playback, and how much of the picture was buffered then. */
export interface PlaybackEvent {
  /** Since the request for playback. */
  readonly t_s: number;
  readonly event: (typeof PLAYBACK_EVENTS)[number];
  readonly buffer_s: number;
}
