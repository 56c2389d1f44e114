import { named } from '../../../system/command-line/suggestion.ts';
import { http } from './http/http.ts';
import type { Neighbor } from './neighbor.ts';
import { tcp } from './tcp/tcp.ts';
import { udp } from './udp/udp.ts';
import { video } from './video/video.ts';

/** The neighbors. To add one, add a folder and a line here. */
export const neighbors = [udp, tcp, http, video] as const;

type MetricNameIn<Each> = Each extends Neighbor<infer Name> ? Name : never;

export type NeighborMetricName = MetricNameIn<(typeof neighbors)[number]>;

/** Finds a neighbor by name. Throws an Error that lists the neighbors if there is none. */
export const neighborNamed = (name: string): (typeof neighbors)[number] => named('neighbor', name, neighbors);
