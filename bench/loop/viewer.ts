import { openRealPage } from '../../emulation/player/page/sockets/open-real-page.ts';
import type { Play } from '../../emulation/player/records/play.ts';

/**
 * A program that plays a session with dash.js in a page without a browser: `viewer.ts PLAY`, as JSON. Prints the session's
 * record.
 */
openRealPage(JSON.parse(process.argv[2] ?? '') as Play, {
  playing: () => undefined,
  played({ summary, decisions, errors }) {
    // A pipe accepts a long record in pieces, and at an earlier exit the rest would be lost.
    process.stdout.write(JSON.stringify({ summary, decisions, errors }), () => process.exit());
  },
});
