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

/** dash.js's CMCD settings, which are the only way to send `rtp` in 4.7. */
export class RtpSetting {
  readonly #player: DashPlayer;
  readonly #mode: () => Cmcd['mode'];
  /** The application's CMCD settings. Sammy's are merged into them, and they are restored at the end. */
  #own: Cmcd;
  #written: Cmcd;
  /** Whether a `RequestModifier` of the application has created a URL that dash.js would rewrite; more of them may follow. */
  #isModified = false;

  /** `mode`: how to send `rtp` if the application sends no CMCD. */
  constructor(player: DashPlayer, mode: () => Cmcd['mode']) {
    this.#player = player;
    this.#mode = mode;
    this.#own = this.#written = this.#present;
  }

  /** Called with a URL after sending: only then does dash.js report the changes of a `RequestModifier`. */
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
    // A shallow copy suffices, because dash.js replaces the lists instead of modifying lists.
    return { ...(readSetting(this.#player, 'streaming.cmcd') as Cmcd) };
  }
}

/** Part of a query that URLSearchParams leaves unchanged. Chrome 38 does not have URLSearchParams. */
const UNCHANGED_PAIR =
  /^([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*=([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*$/;

/**
 * Whether dash.js 4.7 would rewrite the existing part of a URL: it reencodes the whole query, which may invalidate a
 * signature.
 */
function wouldBeRewritten(url: string): boolean {
  const query = /\?([^#]+)/.exec(url)?.[1];
  return query !== undefined && !query.split('&').every((pair) => UNCHANGED_PAIR.test(pair));
}
