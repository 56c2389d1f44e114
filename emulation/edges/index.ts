import { nginxEdge } from './nginx-edge.ts';
import { nodeEdge } from './node-edge.ts';

/** All edges, the default first; to add one, add a file and a line here. */
export const labEdges = [nodeEdge, nginxEdge] as const;

export type LabEdgeName = (typeof labEdges)[number]['name'];

/** Finds an edge by its name. Throws an Error that lists the edges if there is none. */
export function labEdgeNamed(name: string): (typeof labEdges)[number] {
  const edge = labEdges.find((candidate) => candidate.name === name);
  if (edge) return edge;
  throw new Error(`--edge is '${name}', expected ${labEdges.map((each) => each.name).join(' or ')}`);
}
