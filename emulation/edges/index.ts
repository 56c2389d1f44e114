import type { LabEdge } from './edge.ts';

/** All edges, the default first, each with what loads it; to add one, add a file and a line here. */
const EDGES = {
  node: async () => (await import('./node-edge.ts')).nodeEdge,
  nginx: async () => (await import('./nginx-edge.ts')).nginxEdge,
} as const satisfies Readonly<Record<string, () => Promise<LabEdge>>>;

export type LabEdgeName = keyof typeof EDGES;
export const DEFAULT_EDGE: LabEdgeName = 'node';

/** Finds the name of an edge. Throws an Error that lists the edges if there is none. */
export function edgeName(name: string): LabEdgeName {
  if (Object.hasOwn(EDGES, name)) return name as LabEdgeName;
  throw new Error(`--edge is '${name}', expected ${Object.keys(EDGES).join(' or ')}`);
}

/** Loads an edge of which the name is known: what serves is not needed by who only plans. */
export const labEdge = (name: LabEdgeName): Promise<LabEdge> => EDGES[name]();
