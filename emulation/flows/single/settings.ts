import { LINK_OPTIONS } from '../../links/read-link.ts';
import { asList, asText } from '../../files/check.ts';
import type { Asked, Plan, Settings } from '../../runs/experiment.ts';
import { checkLinkSettings, type LinkSize } from '../link-size.ts';
import { CONGESTION_CONTROLS, LINK, singleCells } from './cells.ts';

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

/** Options that flows do not have: link and order are fixed, and flows are measured one after the other. */
const NOT_OF_FLOWS = {
  conditions: 'conditions',
  switch: 'switch',
  edge: 'edge',
  viewers: 'viewers',
  ...LINK_OPTIONS,
} as const;
/** The time to start the switch and the delay, and to read the postcards, s. */
const OVERHEAD_S = 5;

/** Plans the flows. Throws an Error for an option that flows do not have. */
export function planFlows(own: FlowSettings, asked: Asked): Plan<FlowSettings> {
  const { arms = own.arms, runs = own.runs, seconds = own.seconds, lanes = 1 } = asked;
  for (const field of Object.keys(NOT_OF_FLOWS) as (keyof typeof NOT_OF_FLOWS)[]) {
    if (asked[field] !== undefined)
      throw new Error(`${own.name} has no --${NOT_OF_FLOWS[field]}: its flows and its link are its own`);
  }
  if (lanes > 1) throw new Error(`${own.name} has flows that take all processors: it needs --lanes 1`);
  const known: readonly string[] = [...CONGESTION_CONTROLS, ...singleCells.keys()];
  const unknown = arms.find((arm) => !known.includes(arm));
  if (unknown !== undefined)
    throw new Error(`${own.name} has no arm '${unknown}'; there are ${known.join(', ')}`);
  const settings = { ...own, arms: known.filter((arm) => arms.includes(arm)), runs, seconds };
  const chosen = [...singleCells].filter(([name, { congestion }]) =>
    [congestion, name].some((arm) => settings.arms.includes(arm)),
  );
  return {
    settings,
    runs: Array.from({ length: runs }, (_, index) => index + 1).flatMap((k) =>
      chosen.map(([cell]) => ({ cell, k, group: `${cell}/${k}` })),
    ),
    record: 'result.json',
    units: "in the names of the fields; t_s counts from the flow's first data packet",
    overhead_s: OVERHEAD_S,
  };
}

export function checkFlowSettings(value: unknown): FlowSettings {
  const settings = checkLinkSettings<FlowSettings>(value);
  for (const arm of asList(settings.arms, 'experiment: arms')) asText(arm, 'experiment: an arm');
  return settings;
}
