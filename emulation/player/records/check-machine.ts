import type { MachineRecord } from '../../network/measure/machine/machine-watch.ts';
import { asFields, asNumber, asNumberOrNull } from '../../ground/files/check.ts';

const PARTS = ['before', 'session', 'playing'] as const satisfies readonly (keyof MachineRecord)[];
const NUMBERS = ['seconds', 'busy_pct', 'others_pct'] as const;
/** The fields that are null on a kernel without these counters. */
const COUNTED_BY_SOME = ['steal_pct', 'steal_of_demand_pct', 'pressure_ms_per_s'] as const;

/** Checks the field `machine` of a run's record. Throws an Error that names the invalid field. */
export function checkMachine(value: unknown): void {
  const machine = asFields(value, 'machine');
  for (const part of PARTS) {
    const what = `machine: ${part}`;
    if (part === 'playing' && machine[part] === null) continue;
    const load = asFields(machine[part], what);
    for (const field of NUMBERS) asNumber(load[field], `${what}: ${field}`);
    for (const field of COUNTED_BY_SOME) asNumberOrNull(load[field], `${what}: ${field}`);
    const waits = asFields(load.run_queue_delay_ms_per_s, `${what}: run_queue_delay_ms_per_s`);
    for (const [name, wait] of Object.entries(waits)) asNumberOrNull(wait, `${what}: wait of ${name}`);
    if (load.canary === undefined || load.canary === null) continue;
    for (const [name, wait] of Object.entries(asFields(load.canary, `${what}: canary`))) {
      asNumberOrNull(wait, `${what}: canary: ${name}`);
    }
  }
}
