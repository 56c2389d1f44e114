import { readSetting, writeSetting } from '../settings.ts';
import type { DashPlayer } from '../player.ts';
import type { Kbps } from '../../units.ts';
import { roundUpToRtp } from '../../wire/rtp.ts';

interface Cmcd {
  readonly enabled: boolean;
  readonly mode: 'query' | 'header';
  readonly enabledKeys: readonly string[];
  readonly rtp: number | null;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Sends `rtp` through dash.js's CMCD settings, which are the only way to do so in 4.7. */
export class RtpSetting {
  readonly #player: DashPlayer;
  readonly #mode: () => Cmcd['mode'];
  /** The application's CMCD settings. Sammy's settings are merged with these, and these are restored at the end. */
  #own: Cmcd;
  #written: Cmcd;
  /** Whether a `RequestModifier` of the application has created a URL that dash.js would rewrite. Stays true. */
  #isModified = false;

  /** `mode`: how to send `rtp` if the application sends no CMCD. */
  constructor(player: DashPlayer, mode: () => Cmcd['mode']) {
    this.#player = player;
    this.#mode = mode;
    this.#own = this.#written = this.#present;
  }

  /** Called with the URL of a sent request. Only this URL includes the changes of a `RequestModifier`. */
  sent(url: string): void {
    this.#isModified ||= wouldBeRewritten(url);
  }

  /** Configures the next request, to `url`: null for no pace, undefined to restore the application's settings. */
  set(pace: Kbps | null | undefined, url?: string): void {
    const present = this.#present;
    if (!same(present, this.#written)) this.#own = present;
    this.#written = this.#with(pace, url);
    if (!same(present, this.#written)) writeSetting(this.#player, 'streaming.cmcd', this.#written);
  }

  #with(pace: Kbps | null | undefined, url = ''): Cmcd {
    const own = this.#own;
    if (pace === undefined) return own;
    const { enabled, mode, enabledKeys } = own;
    const others = enabled ? enabledKeys.filter((key) => key !== 'rtp') : [];
    if (pace === null) return { ...own, enabled: others.length > 0, enabledKeys: others };
    return {
      ...own,
      enabled: true,
      mode: enabled ? mode : this.#isModified || wouldBeRewritten(url) ? 'header' : this.#mode(),
      enabledKeys: [...others, 'rtp'],
      rtp: roundUpToRtp(pace),
    };
  }

  get #present(): Cmcd {
    // A shallow copy suffices, because dash.js never modifies the lists in these settings.
    return { ...(readSetting(this.#player, 'streaming.cmcd') as Cmcd) };
  }
}

/**
 * Matches a query parameter that URLSearchParams leaves unchanged. URLSearchParams itself is not used, because Chrome
 * 38 does not have URLSearchParams.
 */
const UNCHANGED_PAIR =
  /^([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*=([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*$/;

/**
 * Whether adding CMCD would make dash.js 4.7 change the rest of a URL's query: it reencodes the entire query, which may
 * invalidate a signature.
 */
function wouldBeRewritten(url: string): boolean {
  const query = /\?([^#]+)/.exec(url)?.[1];
  return query !== undefined && !query.split('&').every((pair) => UNCHANGED_PAIR.test(pair));
}
