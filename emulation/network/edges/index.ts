import type { LabEdge } from './edge.ts';

/** The loaders of all edges, the default first. To add an edge, add a file and a line here. */
const EDGES = {
  node: async () => (await import('./node-edge.ts')).nodeEdge,
  'node-http2': async () => (await import('./node-http2-edge.ts')).nodeHttp2Edge,
  'node-yield': async () => (await import('./node-yield-edge.ts')).nodeYieldEdge,
  nginx: async () => (await import('./nginx-edge.ts')).nginxEdge,
} as const satisfies Readonly<Record<string, () => Promise<LabEdge>>>;

export type LabEdgeName = keyof typeof EDGES;
export const DEFAULT_EDGE: LabEdgeName = 'node';

export const EDGE_NAMES = Object.keys(EDGES) as readonly LabEdgeName[];

/** Loads an edge on demand, because planning needs no server code. */
export const labEdge = (name: LabEdgeName): Promise<LabEdge> => EDGES[name]();
