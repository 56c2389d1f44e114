import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';

/**
 * Packages: WebKitGTK with its WebDriver server, an X server without a screen, and the GStreamer plug-ins for the
 * tests' video. `base` decodes Opus, `good` reads MP4 and decodes VP9, and `bad` parses both.
 */
const PACKAGES = [
  ...['webkit2gtk-driver', 'xvfb'],
  ...['base', 'good', 'bad'].map((plugins) => `gstreamer1.0-plugins-${plugins}`),
];

export const INSTALL_WEBKIT = aptCommand('--no-install-recommends', ...PACKAGES);

/** Finds the WebDriver server of WebKitGTK, which starts the browser, and the X server that the browser needs. */
export function findWebKit(): { readonly driver: string; readonly xServer: string } | undefined {
  const [driver, xServer] = [findExecutable('WebKitWebDriver'), findExecutable('Xvfb')];
  return driver !== undefined && xServer !== undefined ? { driver, xServer } : undefined;
}

/** The reason why the tests in WebKit are skipped here, or null. */
export const missingWebKitReason = (): string | null =>
  findWebKit() === undefined
    ? `WebKitGTK's driver or Xvfb is missing; install it with: ${INSTALL_WEBKIT}`
    : null;

/** Installs WebKit if it is missing and this process may use apt. */
export async function ensureWebKit(onProgress: OnProgress): Promise<void> {
  if (findWebKit() === undefined && canUseApt()) await ensureAptPackages(PACKAGES, onProgress);
}
