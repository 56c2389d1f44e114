import { armNamed } from '../../arms/index.ts';
import { armFromTuned } from '../../arms/tuned.ts';
import type { Play } from '../../records/play.ts';
import { persistentAgent } from '../../light/kernel-wire.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { openLabPage, type SessionListener } from '../lab/lab-page.ts';
import { PartedWire, PARTINGS } from '../network/parted-wire.ts';
import { HttpWire } from './http-wire.ts';
import { Http2Wire } from './http2-wire.ts';

/**
 * Plays a session with dash.js itself, over sockets and in real time. An error of the page is thrown, which ends the
 * program.
 */
export function openRealPage(play: Play, told: Omit<SessionListener, 'failed'>): void {
  const clock = new RealClock();
  const { protocol } = new URL(play.manifest);
  // As in browsers, HTTP/2 is used over TLS.
  const wire = protocol === 'https:' ? new Http2Wire() : new HttpWire(persistentAgent());
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
