import { http } from './http/http.ts';
import type { Neighbour } from './neighbour.ts';
import { tcp } from './tcp/tcp.ts';
import { udp } from './udp/udp.ts';
import { video } from './video/video.ts';

/** To add a neighbour is to add a file and a line here. */
export const neighbours: readonly Neighbour[] = [udp, tcp, http, video];

/** Throws an Error that names the neighbours there are. */
export function neighbourNamed(name: string): Neighbour {
  const neighbour = neighbours.find((candidate) => candidate.name === name);
  if (neighbour) return neighbour;
  throw new Error(`no neighbour '${name}'; there are ${neighbours.map((each) => each.name).join(', ')}`);
}
