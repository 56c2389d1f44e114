import { SimulatedHttp } from './http.ts';
import type { NeighborNetwork, NeighborPath, SimulatedNeighbor } from './neighbor.ts';
import { SimulatedTcp } from './tcp.ts';
import { SimulatedUdp } from './udp.ts';
import { SimulatedVideo } from './video.ts';

type MakeNeighbor = (path: NeighborPath, network: NeighborNetwork) => SimulatedNeighbor;

/** The simulated neighbors by their names in the lab. To add one, add a file and a line here. */
const simulated: Readonly<Record<string, MakeNeighbor>> = {
  http: (path) => new SimulatedHttp(path),
  tcp: (path) => new SimulatedTcp(path),
  udp: (path) => new SimulatedUdp(path),
  video: (path, network) => new SimulatedVideo(path, network),
};

export const isSimulated = (name: string): boolean => Object.hasOwn(simulated, name);

/** Finds a simulated neighbor by name. If there is none, throws an Error that lists all names. */
export function simulatedNeighbor(name: string): MakeNeighbor {
  const make = Object.hasOwn(simulated, name) ? simulated[name] : undefined;
  if (make) return make;
  throw new Error(`no neighbor '${name}' is simulated; there are ${Object.keys(simulated).join(', ')}`);
}
