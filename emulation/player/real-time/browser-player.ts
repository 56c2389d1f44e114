import { openBrowser } from './browser.ts';
import type { LabPage, SessionPlayer } from '../records/play.ts';

declare global {
  interface Window {
    lab: LabPage;
  }
}

/** The time limit for loading the page, which has a megabyte. It allows for a cellular link at its worst. */
const LOAD_WITHIN_MS = 180_000;

/** Starts Chromium in the network of process `pid`, with the lab's page: dash.js and the plug-in. */
export async function browserPlayer(pid: number, pageUrl: string): Promise<SessionPlayer> {
  const browser = await openBrowser(pid);
  try {
    // Needed for the lab's edges with TLS, whose certificates are self-signed.
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(pageUrl, { timeout: LOAD_WITHIN_MS });
    return {
      async play(play, within_s, onPlaying) {
        await page.exposeFunction('labPlaying', onPlaying);
        let impatient: NodeJS.Timeout | undefined;
        // A deadline, in case the browser has crashed or hangs.
        const late = new Promise<never>((_, reject) => {
          const fail = () => reject(new Error(`the browser did not finish a session of ${play.seconds} s`));
          impatient = setTimeout(fail, within_s * 1000);
          page.once('crash', () => reject(new Error('the page crashed')));
        });
        try {
          return await Promise.race([page.evaluate((spec) => window.lab.play(spec), play), late]);
        } finally {
          clearTimeout(impatient);
        }
      },
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
