import { nginxEdge } from './nginx-edge.ts';
import { nodeEdge } from './node-edge.ts';

/** To add an edge is to add a file and a line here. The first is the default. */
export const labEdges = [nodeEdge, nginxEdge] as const;

export type LabEdgeName = (typeof labEdges)[number]['name'];

/** Throws an Error that names the edges there are. */
export function labEdgeNamed(name: string): (typeof labEdges)[number] {
  const edge = labEdges.find((candidate) => candidate.name === name);
  if (edge) return edge;
  throw new Error(`--edge is '${name}', expected ${labEdges.map((each) => each.name).join(' or ')}`);
}
