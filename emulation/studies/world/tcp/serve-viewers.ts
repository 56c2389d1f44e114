import { setTimeout as sleep } from 'node:timers/promises';
import { errorLine } from '../../../../system/error-line.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';

/** The end of a session: the viewer's record, or the reason why there is none. */
export type SessionEnd<Record> = Record | { readonly failure: string };

/** The message when all viewers have left, with their records in the order of the sessions. */
export interface AllLeft<Record> {
  readonly type: 'left';
  readonly endings: readonly SessionEnd<Record>[];
}

/**
 * Plays all viewers in one process. Each viewer arrives `at_s` after the message 'begin', and leaves when the session
 * ends.
 */
export function serveViewers<Session extends { readonly at_s: number }, Record>(
  sessions: readonly Session[],
  view: (session: Session) => Promise<Record>,
): void {
  const come = async (session: Session, began_ms: number): Promise<SessionEnd<Record>> => {
    await sleep(Math.max(0, began_ms + 1000 * session.at_s - performance.now()));
    return view(session).catch((error: unknown) => ({ failure: errorLine(error) }));
  };
  const say = joinLab(() => {
    const began_ms = performance.now();
    void Promise.all(sessions.map((session) => come(session, began_ms))).then((endings) =>
      say({ type: 'left', endings } satisfies AllLeft<Record>),
    );
  });
  say({ type: 'ready' });
}
