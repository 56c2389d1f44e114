import { armNamed } from '../../arms/index.ts';
import { armFromTuned } from '../../arms/tuned.ts';
import type { Play } from '../../records/play.ts';
import { keptConnections } from '../../light/kernel-wire.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { openLabPage, type Told } from '../lab/lab-page.ts';
import { PartedWire, PARTINGS } from '../network/parted-wire.ts';
import { HttpWire } from './http-wire.ts';

/** Plays a session with dash.js itself, over sockets and in real time. What it fails of is thrown, which ends the program. */
export function openRealPage(play: Play, told: Omit<Told, 'failed'>): void {
  const clock = new RealClock();
  const wire = new HttpWire(keptConnections());
  const { parting } = play.tuned ? armFromTuned(play.tuned) : armNamed(play.arm);
  openLabPage(
    {
      clock,
      wire: parting ? new PartedWire(wire, clock, PARTINGS[parting]) : wire,
      url: new URL('/', play.manifest).href,
      opened_ms: Date.now(),
      random: Math.random,
    },
    play,
    {
      ...told,
      failed: (error) => {
        throw error;
      },
    },
  );
}
