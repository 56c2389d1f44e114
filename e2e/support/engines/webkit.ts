import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Builder, type WebDriver } from 'selenium-webdriver';
import { startProgram } from '../../../system/background-program.ts';
import { Closing } from '../../../system/closing.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import { freePort } from '../../../system/free-port.ts';
import { findWebKit, missingWebKitReason } from '../../../tools/setup/webkit.ts';
import { BEHAVIORS, type Behavior, type Player } from '../contract/behaviors.ts';
import { test as base, type DrivenPage } from '../fixtures.ts';

/** Returns a command that the kernel ends together with this process, even if this process is killed. */
function endedWithThisProcess(program: string, args: readonly string[]): [string, string[]] {
  const setpriv = findExecutable('setpriv');
  return setpriv === undefined
    ? [program, [...args]]
    : [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]];
}

/** Starts an X server without a screen on the first free display number. Returns the display as `:N`. */
async function startDisplay(xServer: string): Promise<{ name: string; close: () => Promise<void> }> {
  const [program, args] = endedWithThisProcess(xServer, [
    ...['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1280x800x24'],
  ]);
  const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const exited = once(server, 'exit');
  const numbers = server.stdio[3] as Readable;
  const [number] = (await Promise.race([
    once(numbers, 'data'),
    exited.then(() => {
      throw new Error(`${xServer} did not start`);
    }),
  ])) as [Buffer];
  const close = async () => {
    server.kill();
    await exited;
  };
  return { name: `:${number.toString().trim()}`, close };
}

/**
 * Opens a browser with an empty cache and storage, which are in the folder `home`. Each browser has its own driver, so
 * that browsers cannot block each other.
 */
async function openBrowser(
  driver: string,
  display: string,
  home: string,
): Promise<{ page: DrivenPage; close: () => Promise<void> }> {
  const started = new Closing();
  try {
    const port = await freePort();
    started.later(
      await startProgram(...endedWithThisProcess(driver, [`--port=${port}`]), {
        port,
        env: {
          ...process.env,
          // In this locale, `navigator.language` is `C`, which `Intl` rejects. Pages must work nevertheless.
          ...{ DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1', LC_ALL: 'C.UTF-8' },
          ...{ HOME: home, TMPDIR: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
          // Without a session bus, WebKit starts no accessibility service.
          DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        },
      }),
    );
    const browser = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities({ browserName: 'MiniBrowser' })
      .build();
    started.later({ close: () => browser.quit() });
    return { page: makePage(browser), close: () => started.close() };
  } catch (error) {
    await started.close();
    throw error;
  }
}

/**
 * Makes a page of a WebDriver session. Results are passed as JSON: WebDriver's own serialization returns null for
 * undefined, and takes seconds for hundreds of decisions.
 */
const makePage = (browser: WebDriver): DrivenPage => ({
  goto: (url) => browser.get(url),
  async evaluate<Result>(action: () => Result): Promise<Awaited<Result>> {
    const script = `return Promise.resolve((${action.toString()})()).then((result) => JSON.stringify(result) ?? null)`;
    const json = await browser.executeScript<string | null>(script);
    return (json === null ? undefined : JSON.parse(json)) as Awaited<Result>;
  },
});

/** The tested players. dash.js and hls.js 1.6 use a ManagedMediaSource, which only WebKit has; hls.js 1.7 does not. */
const PLAYERS = ['dashjs5', 'dashjs4', 'hls1.6'] as const;

/** The gate tests dash.js 5, and what depends on the browser with hls.js, too. */
const isInGate = (player: Player, { everyEngine, everyPlayer }: Behavior): boolean =>
  player === 'dashjs5'
    ? (everyEngine ?? everyPlayer ?? false)
    : player === 'hls1.6' && (everyEngine ?? false);

/**
 * Returns the contract's behaviors to test in WebKit, each with its player. `test:all` tests those that are not in the
 * gate, too.
 */
export const cells = (
  tier: 'gate' | 'long',
): readonly { readonly player: Player; readonly behavior: Behavior }[] =>
  PLAYERS.flatMap((player) =>
    BEHAVIORS.filter((behavior) => isInGate(player, behavior) === (tier === 'gate')).map((behavior) => ({
      player,
      behavior,
    })),
  );

/** The fixture `tab` is a page in WebKit with an empty cache and storage. */
export const test = base.extend<{ tab: DrivenPage }, { display: { readonly name: string } }>({
  display: [
    // Playwright requires that the first parameter is destructured.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const webKit = findWebKit();
      if (webKit === undefined) throw new Error(missingWebKitReason() ?? 'no WebKit');
      const display = await startDisplay(webKit.xServer);
      await use(display);
      await display.close();
    },
    { scope: 'worker' },
  ],
  tab: async ({ display }, use, { outputDir }) => {
    await mkdir(outputDir, { recursive: true });
    const home = await mkdtemp(join(outputDir, 'webkit-'));
    const { page, close } = await openBrowser(findWebKit()?.driver ?? '', display.name, home);
    try {
      await use(page);
    } finally {
      await close();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    }
  },
});
