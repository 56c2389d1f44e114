import type { Experiment } from '../../../src/experiment/experiment.ts';
import { makeLadder, type Ladder } from '../../../src/film/ladder.ts';
import { Agenda } from '../../ground/clock/agenda.ts';
import { arrivals, type Arrival } from './arrivals.ts';
import { LINKS } from './designs.ts';
import { assigned, linkExperiment, firstDay, type LinkRun } from './link-run.ts';
import type { SessionRow } from './session-row.ts';
import { SharedLink, type LinkDownload } from '../../network/virtual/fluid/shared-link.ts';
import { Viewer } from './viewer.ts';

/**
 * Plays all sessions of a link, event by event, and returns those that began within the days, in the order of their
 * starts.
 */
export function runLink(run: LinkRun): SessionRow[] {
  return new LinkSimulation(run).play();
}

/** The number of round trips before the first segment is requested: for TCP, TLS and the manifest. */
const START_ROUND_TRIPS = 3;

/** An event of the simulation. It is called with the time at which it is due. */
type Event = (now_ms: number) => void;

/**
 * A session with its arm and its event functions. The functions are created once, because each session uses them
 * hundreds of times.
 */
interface Visit {
  readonly arrival: Arrival;
  readonly viewer: Viewer;
  readonly row: Omit<SessionRow, 'metrics'>;
  readonly ask: Event;
  readonly begin: Event;
  download: LinkDownload | undefined;
  /** When the viewer leaves, as planned now. */
  leaves_ms: number;
  readonly leave: Event;
  gone: boolean;
}

class LinkSimulation {
  readonly #run: LinkRun;
  readonly #experiment: Experiment;
  readonly #ladder: Ladder;
  readonly #arrivals: readonly Arrival[];
  readonly #link: SharedLink;
  readonly #agenda = new Agenda<Event>();
  readonly #visits = new Map<LinkDownload, Visit>();
  /** The rows of the sessions, by the arrival's number. */
  readonly #rows: SessionRow[] = [];

  constructor(run: LinkRun) {
    this.#run = run;
    this.#experiment = linkExperiment(run);
    this.#ladder = worldLadder(run.world.bitrates_kbps);
    const { world, days, seed } = run;
    this.#arrivals = arrivals(world, LINKS.indexOf(run.link), days, seed, firstDay(run));
    this.#link = new SharedLink(run.world);
  }

  play(): SessionRow[] {
    this.#expect(0);
    for (;;) {
      const [agenda_ms, link_ms] = [this.#agenda.next_ms, this.#link.next_ms];
      if (link_ms < agenda_ms) this.#arrived(this.#link.end(), link_ms);
      else if (agenda_ms < Infinity) this.#agenda.take()(agenda_ms);
      else break;
    }
    return Object.values(this.#rows);
  }

  #expect(index: number): void {
    const arrival = this.#arrivals[index];
    if (!arrival) return;
    this.#agenda.add(arrival.at_ms, (now_ms) => {
      this.#expect(index + 1);
      const visit = this.#visit(arrival, index);
      if (!visit) return;
      this.#planLeaving(visit, visit.viewer.leaves_ms);
      const rtt_ms = arrival.idle_rtt_ms + this.#link.delayAt(now_ms);
      this.#agenda.add(now_ms + START_ROUND_TRIPS * rtt_ms, visit.ask);
    });
  }

  /** Makes the visit for an arrival with its arm; undefined if the session is in no arm. */
  #visit(arrival: Arrival, index: number): Visit | undefined {
    const session = assigned(this.#run, this.#experiment, arrival, index);
    if (!session) return undefined;
    const { row, options } = session;
    const viewer = new Viewer(arrival, this.#run.world, this.#ladder, options);
    const visit: Visit = {
      arrival,
      viewer,
      row,
      ask: (now_ms) => this.#ask(visit, now_ms),
      begin: (now_ms) => this.#begin(visit, now_ms),
      leave: (now_ms) => this.#leave(visit, index, now_ms),
      leaves_ms: Infinity,
      download: undefined,
      gone: false,
    };
    return visit;
  }

  #ask(visit: Visit, now_ms: number): void {
    if (visit.gone) return;
    const delay_ms = this.#link.delayAt(now_ms);
    visit.download = visit.viewer.request(now_ms, delay_ms);
    this.#agenda.add(now_ms + visit.arrival.idle_rtt_ms + delay_ms, visit.begin);
  }

  #begin(visit: Visit, now_ms: number): void {
    if (visit.gone || !visit.download) return;
    this.#visits.set(visit.download, visit);
    this.#link.begin(visit.download, now_ms);
  }

  #arrived(download: LinkDownload, now_ms: number): void {
    const visit = this.#visits.get(download);
    if (!visit) throw new Error('a download without a viewer');
    this.#visits.delete(download);
    this.#agenda.add(visit.viewer.arrived(now_ms), visit.ask);
    // A viewer's leaving time can become earlier only at the first segment. From then on it depends on when the buffer
    // runs empty, and no longer on the patience with the start-up delay.
    const { leaves_ms } = visit.viewer;
    if (leaves_ms < visit.leaves_ms) this.#planLeaving(visit, Math.max(now_ms, leaves_ms));
  }

  #planLeaving(visit: Visit, leaves_ms: number): void {
    visit.leaves_ms = leaves_ms;
    this.#agenda.add(leaves_ms, visit.leave);
  }

  /** Lets the viewer leave, unless data have arrived that make the viewer stay longer. */
  #leave(visit: Visit, index: number, now_ms: number): void {
    if (visit.gone || now_ms !== visit.leaves_ms) return;
    const { leaves_ms } = visit.viewer;
    if (leaves_ms > now_ms) {
      this.#planLeaving(visit, leaves_ms);
      return;
    }
    const { download, viewer, row, arrival } = visit;
    visit.gone = true;
    if (download && this.#visits.delete(download)) this.#link.cancel(download, now_ms);
    const metrics = viewer.leave(now_ms);
    if (arrival.at_ms >= 0) this.#rows[index] = { ...row, metrics };
  }
}

function worldLadder(bitrates_kbps: readonly number[]): Ladder {
  const ladder = makeLadder(
    bitrates_kbps.map((bitrate) => ({ id: `${bitrate}`, bandwidth: bitrate * 1000 })),
  );
  if (!ladder) throw new Error('the video has no bitrates');
  return ladder;
}
