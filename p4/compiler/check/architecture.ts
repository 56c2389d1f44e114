import type { Unit } from '../ir.ts';
import type { Span } from '../source.ts';
import type { Context } from './context.ts';
import { isObject, typeKey } from './types.ts';

const STANDARD = 'standard_metadata_t';

/**
 * The parameters of each `V1Switch` block, without the packet: the user's headers, the user's metadata, and the
 * standard metadata.
 */
const BLOCKS: { what: string; kind: Unit['kind']; parameters: ('headers' | 'metadata' | 'standard')[] }[] = [
  { what: 'the parser', kind: 'parser', parameters: ['headers', 'metadata', 'standard'] },
  { what: 'the checksum verification', kind: 'control', parameters: ['headers', 'metadata'] },
  { what: 'the ingress', kind: 'control', parameters: ['headers', 'metadata', 'standard'] },
  { what: 'the egress', kind: 'control', parameters: ['headers', 'metadata', 'standard'] },
  { what: 'the checksum computation', kind: 'control', parameters: ['headers', 'metadata'] },
  { what: 'the deparser', kind: 'control', parameters: ['headers'] },
];

/** Reports blocks whose parameters do not match each other or v1model's package. */
export function checkArchitecture(c: Context, units: readonly Unit[], span: Span): void {
  const { diagnostics } = c.shared;
  const types = new Map<string, string>([['standard', STANDARD]]);
  for (const [at, { what, kind, parameters }] of BLOCKS.entries()) {
    const unit = units[at];
    if (!unit) return diagnostics.fail(span, `the package lacks ${what}`);
    if (unit.kind !== kind)
      diagnostics.fail(span, `${what} must be a ${kind}, but '${unit.name}' is a ${unit.kind}`);
    if (unit.parameters.length !== parameters.length)
      diagnostics.fail(
        span,
        `${what} takes ${parameters.join(', ')}, but '${unit.name}' has ${unit.parameters.length} such parameters`,
      );
    for (const [index, role] of parameters.entries()) {
      const type = unit.parameters[index]?.variable.type;
      const key = type ? typeKey(type) : '';
      if (type && !isObject(type))
        diagnostics.refuse(
          span,
          `the user's ${role} of type ${key}, which is not a struct`,
          'v1model, V1Switch',
        );
      const wanted = types.get(role) ?? key;
      types.set(role, wanted);
      if (key !== wanted)
        diagnostics.fail(span, `${what} '${unit.name}' has ${key} where the others have ${wanted}`);
    }
  }
}
