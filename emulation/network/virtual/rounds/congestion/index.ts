import type { CongestionControlName } from '../../../congestion/index.ts';
import { Bbr } from './bbr.ts';
import type { CongestionControl } from './congestion-control.ts';
import { Cubic } from './cubic.ts';
import { Reno } from './reno.ts';

/** The simulated congestion controls. To add one, add a file and a line here. */
const controls: Readonly<Partial<Record<CongestionControlName, () => CongestionControl>>> = {
  reno: () => new Reno(),
  cubic: () => new Cubic(),
  bbr: () => new Bbr(),
};

/** Finds a simulated congestion control by name. If there is none, throws an Error that lists all names. */
export function congestionControlNamed(name: string): () => CongestionControl {
  const control = Object.hasOwn(controls, name) ? controls[name as CongestionControlName] : undefined;
  if (control) return control;
  throw new Error(
    `no congestion control '${name}' is simulated; there are ${Object.keys(controls).join(', ')}`,
  );
}
