import type { CompletedDecision } from '../../src/index.ts';
import { ODD_RUNGS, playOddWorld, type OddSession, type OddWorld } from './odd-world.ts';

/** The tested versions of dash.js, by the names of their packages in this repository. */
export const VERSIONS = { '5': 'dashjs', '4': 'dashjs-v4' } as const;
export type Version = keyof typeof VERSIONS;

export interface VirtualSession extends OddSession {
  readonly decisions: readonly CompletedDecision[];
  readonly warnings: readonly string[];
  /** The final value of the page script's `seen`. */
  readonly seen: Readonly<Record<string, unknown>>;
}

/**
 * A script that collects the plug-in's events. Tests store their own data in `seen`. `paced` calls a function at the
 * n-th paced video segment.
 */
const LISTEN = `
  window.decisions = [];
  window.warnings = [];
  window.seen = {};
  const settings = () => JSON.parse(JSON.stringify(player.getSettings()));
  window.listen = () => {
    sammy.on('decision', (decision) => decisions.push(decision));
    sammy.on('warning', ({ message }) => warnings.push(message));
  };
  const paced = (count, action) => {
    let left = count;
    sammy.on('decision', ({ media_type, requested_kbps }) => {
      if (media_type === 'video' && requested_kbps !== null && --left === 0) setTimeout(action);
    });
  };
`;

/**
 * Plays in virtual time with the plug-in, which is attached before `initialize`, over a link of 40 Mbit/s from our
 * edge.
 */
export function playVirtually(
  version: Version,
  {
    settings = {},
    then = '',
    seconds = 30,
    ...world
  }: Partial<OddWorld> & { settings?: object; then?: string },
): VirtualSession {
  const session = playOddWorld(
    {
      dashjs: VERSIONS[version],
      ...{ mbps: 40, seconds, rungs: ODD_RUNGS, edge: true },
      start: `
        ${LISTEN}
        player.updateSettings(${JSON.stringify(settings)});
        seen.before = settings();
        attach();
        listen();
        player.initialize(video, 'http://film.example/manifest.mpd', true);
        ${then}`,
      ...world,
    },
    true,
  );
  const { decisions, warnings, seen } = session.page.window as unknown as VirtualSession;
  return { ...session, ...(JSON.parse(JSON.stringify({ decisions, warnings, seen })) as VirtualSession) };
}

export const isPacedVideo = ({ media_type, requested_kbps }: CompletedDecision): boolean =>
  media_type === 'video' && requested_kbps !== null;
