import { armNamed } from '../../arms/index.ts';
import { armFromTuned } from '../../arms/tuned.ts';
import type { Play } from '../../records/play.ts';
import { keptConnections } from '../../light/kernel-wire.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { openLabPage, type Told } from '../lab/lab-page.ts';
import { PartedWire, PARTINGS } from '../network/parted-wire.ts';
import { HttpWire } from './http-wire.ts';
import { Http2Wire } from './http2-wire.ts';

/** Plays a session with dash.js itself, over sockets and in real time. What it fails of is thrown, which ends the program. */
export function openRealPage(play: Play, told: Omit<Told, 'failed'>): void {
  const clock = new RealClock();
  const { protocol } = new URL(play.manifest);
  // As browsers do: over TLS, servers offer HTTP/2.
  const wire = protocol === 'https:' ? new Http2Wire() : new HttpWire(keptConnections());
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
