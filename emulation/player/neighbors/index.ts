import { named } from '../../../system/command-line/suggestion.ts';
import { http } from './http/http.ts';
import type { Neighbor } from './neighbor.ts';
import { tcp } from './tcp/tcp.ts';
import { udp } from './udp/udp.ts';
import { video } from './video/video.ts';

/** To add a neighbor is to add a folder and a line here. */
export const neighbors = [udp, tcp, http, video] as const;

type NameOf<Each> = Each extends Neighbor<infer Name> ? Name : never;

/** The names of all that the neighbors measure. */
export type NeighborMetricName = NameOf<(typeof neighbors)[number]>;

/** Throws an Error that names the neighbors there are. */
export const neighborNamed = (name: string): (typeof neighbors)[number] => named('neighbor', name, neighbors);
