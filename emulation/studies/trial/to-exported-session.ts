import type { ExportedSession } from '../export/exported-session.ts';
import type { SimulatedResult } from '../../player/model/simulated-session.ts';
import type { DrawnSession } from './draw-sessions.ts';

/**
 * Converts a session of a trial to the form that the tables need. Its start is the drawn time, even if it was played at
 * another time.
 */
export const toExportedSession = (
  { decisions, buffer, playback }: Pick<SimulatedResult, 'decisions' | 'buffer' | 'playback'>,
  { id, began_ms, watch_s }: DrawnSession,
  named: Pick<ExportedSession, 'arm' | 'expt_id' | 'channel' | 'condition'>,
): ExportedSession => ({
  ...named,
  session_id: id,
  began_ms,
  seconds: watch_s,
  decisions,
  buffer: buffer.map(([t_s, value]) => ({ t_s, value })),
  playback,
});
