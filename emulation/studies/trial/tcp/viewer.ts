import { joinLab } from '../../../ground/programs/join-lab.ts';
import { simulatedFilm } from '../../../player/virtual-time/simulated-film.ts';
import { playSession } from '../../../player/light/play-light.ts';
import type { PlayedSession } from '../../../player/light/viewer.ts';
import { trialArm } from '../trial-arms.ts';

/** The video and the session that the viewer plays. */
export interface ViewerTask {
  readonly manifest: string;
  /** The folder of the video. The viewer reads the sidecar from it; a page would fetch the sidecar. */
  readonly film: string;
  readonly longest_s: number;
  readonly seconds: number;
  readonly arm: string;
  readonly model: string | null;
  readonly explored_pct: number;
}

/** Plays one session of a trial when it receives the message 'begin'. */
const task = JSON.parse(process.argv[2] ?? '{}') as ViewerTask;
const arm = trialArm(task.arm, task.model, task.explored_pct);
const prepared = simulatedFilm({ directory: task.film }, task.longest_s);

const say = joinLab(() => {
  void prepared
    .then((film) => playSession({ arm, film, seconds: task.seconds }, task.manifest))
    .then((played) => say({ type: 'played', played } satisfies PlayedSession));
});

void prepared.then(() => say({ type: 'ready' }));
