import { suggestionFor } from '../../../system/command-line/suggestion.ts';
import { http } from './http/http.ts';
import type { Neighbour } from './neighbour.ts';
import { tcp } from './tcp/tcp.ts';
import { udp } from './udp/udp.ts';
import { video } from './video/video.ts';

/** To add a neighbour is to add a folder and a line here. */
export const neighbours = [udp, tcp, http, video] as const;

type NameOf<Each> = Each extends Neighbour<infer Name> ? Name : never;

/** The names of all that the neighbours measure. */
export type NeighbourMetricName = NameOf<(typeof neighbours)[number]>;

/** Throws an Error that names the neighbours there are. */
export function neighbourNamed(name: string): (typeof neighbours)[number] {
  const neighbour = neighbours.find((candidate) => candidate.name === name);
  if (neighbour) return neighbour;
  const names = neighbours.map((each) => each.name);
  throw new Error(`no neighbor '${name}'${suggestionFor(name, names)}; there are ${names.join(', ')}`);
}
