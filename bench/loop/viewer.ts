import { RealClock } from '../../emulation/player/page/clocks/real-clock.ts';
import { openLabPage } from '../../emulation/player/page/lab/lab-page.ts';
import { HttpWire } from '../../emulation/player/page/sockets/http-wire.ts';
import type { Play } from '../../emulation/player/session/play.ts';
import { keptConnections } from '../../emulation/player/viewers/kernel-wire.ts';

/** A program that plays a session with dash.js in a page without a browser: `viewer.ts PLAY`, as JSON. Prints what it was. */
const play = JSON.parse(process.argv[2] ?? '') as Play;
openLabPage(
  {
    clock: new RealClock(),
    wire: new HttpWire(keptConnections()),
    url: new URL('/', play.manifest).href,
    opened_ms: Date.now(),
    random: Math.random,
  },
  play,
  {
    playing: () => undefined,
    played({ summary, decisions, errors }) {
      console.log(JSON.stringify({ summary, decisions, errors }));
      process.exit();
    },
    failed: (error) => {
      throw error;
    },
  },
);
