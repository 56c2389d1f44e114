import { suggestionFor } from '../../../system/command-line/suggestion.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { list } from '../../../system/command-line/parsers.ts';
import { asList, asText } from '../../../emulation/ground/files/check.ts';
import type { AskedOf, Plan, Settings } from '../../../emulation/harness/runs/study.ts';
import { FLOW_OPTIONS } from '../flow-options.ts';
import { checkLinkSettings, type LinkSize } from '../link-size.ts';
import { CONGESTION_CONTROLS, LINK, singleCells } from './cells.ts';

/** Link and order are fixed. */
export const SINGLE_OPTIONS = {
  arms: { valueName: 'A,B', about: 'only these: reno, cubic, bbr, or flows such as reno@1bdp', parse: list },
  runs: FLOW_OPTIONS.runs,
  seconds: FLOW_OPTIONS.seconds,
} as const satisfies Options;

/** Settings of an experiment of single flows through the buffers of the P4 switch. */
export interface FlowSettings extends Settings, LinkSize {
  /** Congestion controls, or single flows, such as `reno@1bdp`. */
  readonly arms: readonly string[];
}

export const ownSettings = (about: Pick<Settings, 'name' | 'about' | 'figure'>): FlowSettings => ({
  ...about,
  runs: 1,
  seconds: 30,
  arms: CONGESTION_CONTROLS,
  ...LINK,
});

/** The time to start the switch and the delay, and to read the postcards, s. */
const OVERHEAD_S = 5;

/** Plans the flows. Throws an Error for an arm that there is not. */
export function planFlows(own: FlowSettings, asked: AskedOf<typeof SINGLE_OPTIONS>): Plan<FlowSettings> {
  const { arms = own.arms, runs = own.runs, seconds = own.seconds, jobs = 1 } = asked;
  if (jobs > 1) throw new Error(`${own.name} has flows that take all processors: it needs --jobs 1`);
  const known: readonly string[] = [...CONGESTION_CONTROLS, ...singleCells.keys()];
  const unknown = arms.find((arm) => !known.includes(arm));
  if (unknown !== undefined)
    throw new Error(
      `${own.name} has no arm '${unknown}'${suggestionFor(unknown, known)}; there are ${known.join(', ')}`,
    );
  const settings = { ...own, arms: known.filter((arm) => arms.includes(arm)), runs, seconds };
  const chosen = [...singleCells].filter(([name, { congestion }]) =>
    [congestion, name].some((arm) => settings.arms.includes(arm)),
  );
  return {
    settings,
    runs: Array.from({ length: runs }, (_, index) => index + 1).flatMap((k) =>
      chosen.map(([cell]) => ({ cell, k, group: `${cell}/${k}` })),
    ),
    units: "in the names of the fields; t_s counts from the flow's first data packet",
    overhead_s: OVERHEAD_S,
  };
}

export function checkFlowSettings(value: unknown): FlowSettings {
  const settings = checkLinkSettings<FlowSettings>(value);
  for (const arm of asList(settings.arms, 'experiment: arms')) asText(arm, 'experiment: an arm');
  return settings;
}
