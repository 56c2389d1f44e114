import type { CLIENT_BUFFER, Row } from './columns.ts';
import { streamAt, type ExportedSession } from './exported-session.ts';
import { rebufferedUntil, type PlaybackSummary } from './stalls.ts';

type Event = 'init' | 'startup' | 'rebuffer' | 'play' | 'timer';

interface Moment {
  readonly t_s: number;
  readonly event: Event;
  readonly buffer_s: number;
}

/** Returns a session's buffer levels and playback events, in order of time. */
export const bufferRows = (session: ExportedSession, story: PlaybackSummary): Row<typeof CLIENT_BUFFER>[] =>
  listMoments(session, story).map(({ t_s, event, buffer_s }) => ({
    ...streamAt(session, t_s),
    event,
    buffer: buffer_s,
    cum_rebuf: rebufferedUntil(story, t_s),
  }));

function listMoments({ buffer, playback, seconds }: ExportedSession, { startup_s, stalls }: PlaybackSummary) {
  const at = (t_s: number, event: Event): Moment => {
    // A tolerance, because the start of a stall is computed as its end minus its length, with rounding errors.
    const told = playback.find((each) => Math.abs(each.t_s - t_s) < 1e-6);
    return { t_s, event, buffer_s: told?.buffer_s ?? 0 };
  };
  const events = stalls.flatMap(({ from_s, to_s, ended }) => [
    at(from_s, 'rebuffer'),
    ...(ended ? [at(to_s, 'play')] : []),
  ]);
  const timers = buffer
    .filter(({ t_s }) => t_s <= seconds)
    .map(({ t_s, value }): Moment => ({ t_s, event: 'timer', buffer_s: value }));
  return [
    at(0, 'init'),
    ...(startup_s === null ? [] : [at(startup_s, 'startup')]),
    ...events,
    ...timers,
  ].sort((a, b) => a.t_s - b.t_s);
}
