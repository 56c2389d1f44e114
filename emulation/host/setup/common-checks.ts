import { openSocketOptions } from '../../../edge/local/kernel/socket-options.ts';
import { findFfmpeg, missingEncoders } from '../../../media/ffmpeg.ts';
import { aptCommand } from '../../../system/apt.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import { INSTALL_CHROMIUM, findChromium } from './chromium.ts';

// The parts that the checks of the lab and of the whole project share: all except who needs them, and the consequences.

export const throwMissing = (what: string): never => {
  throw new Error(what);
};

export const program = (name: string): string => findExecutable(name) ?? throwMissing('not on the PATH');

export const ffmpeg = {
  name: 'ffmpeg (VP9, Opus)',
  find: async () => {
    const found = findFfmpeg() ?? throwMissing('ffmpeg and ffprobe are not both on the PATH');
    const missing = await missingEncoders(found.ffmpeg);
    return missing.length === 0 ? found.ffmpeg : throwMissing(`${found.ffmpeg} lacks ${missing.join(', ')}`);
  },
  mend: aptCommand('ffmpeg'),
};

export const chromium = {
  name: 'Chromium',
  find: () => findChromium() ?? throwMissing('neither on the PATH nor installed by Playwright'),
  mend: INSTALL_CHROMIUM,
};

export const kernelPacing = {
  name: 'kernel pacing',
  find: async () => {
    const opened = await openSocketOptions();
    return 'unavailable' in opened ? throwMissing(opened.unavailable) : 'SO_MAX_PACING_RATE through koffi';
  },
  mend: 'run on Linux; npm ci brings koffi',
};

/** The advice if mahimahi is missing. Any experiment installs it, because ensureMahimahi runs before every experiment. */
export const MAHIMAHI_INSTALLS_ITSELF =
  'sudo npm run lab -- run single, which installs it from Debian bullseye, and replaces iptables';
