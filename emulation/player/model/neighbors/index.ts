import type { CongestionControl } from '../../../network/virtual/rounds/congestion/congestion-control.ts';
import { SimulatedHttp } from './http.ts';
import type { NeighborPath, SimulatedNeighbor } from './neighbor.ts';
import { SimulatedUdp } from './udp.ts';

/** The simulated neighbors, by their names in the lab. To add one, add a file and a line here. */
const simulated: Readonly<
  Record<string, (path: NeighborPath, control: () => CongestionControl) => SimulatedNeighbor>
> = {
  http: (path, control) => new SimulatedHttp(path, control()),
  udp: (path) => new SimulatedUdp(path),
};

export const isSimulated = (name: string): boolean => Object.hasOwn(simulated, name);

/** Throws an Error that lists the simulated neighbors if there is none of that name. */
export function simulatedNeighbor(name: string): NonNullable<(typeof simulated)[string]> {
  const make = simulated[name];
  if (make) return make;
  throw new Error(`no neighbor '${name}' is simulated; there are ${Object.keys(simulated).join(', ')}`);
}
