import { packData } from '../compiler/generate/bits.ts';
import type { Body } from '../compiler/generate/body.ts';
import { place } from '../compiler/generate/places.ts';
import { fromBig } from '../compiler/generate/representation.ts';
import type { Expr } from '../compiler/ir.ts';
import type { HashName } from '../switch/hash.ts';
import { argument, big, externClass, rt, store } from './extern.ts';
import type { ExternCall, ExternFunction } from './extern.ts';

/**
 * The members of HashAlgorithm in the order of v1model.p4. The switch does not support custom polynomials and `random`.
 */
const ALGORITHMS: readonly ({ supported: HashName } | { unsupported: string })[] = [
  { supported: 'crc32' },
  { unsupported: 'crc32_custom' },
  { supported: 'crc16' },
  { unsupported: 'crc16_custom' },
  { unsupported: 'random' },
  { supported: 'identity' },
  { supported: 'csum16' },
  { supported: 'xor16' },
];

/** Returns the code that hashes the data packed in `$bits`. */
const hashCall = (name: HashName): string => rt('hash', JSON.stringify(name), '$bits');

function algorithm(b: Body, e: Expr): HashName {
  if (e.op !== 'int')
    return b.module.diagnostics.fail(e.span, 'the hash algorithm must be known at compile time');
  const found = ALGORITHMS[Number(e.value)] ?? { unsupported: '' };
  if ('supported' in found) return found.supported;
  return b.module.diagnostics.refuse(e.span, `HashAlgorithm.${found.unsupported}`, 'v1model, HashAlgorithm');
}

function checksum(b: Body, e: ExternCall, update: boolean, payload: boolean): string {
  const [condition, data, sum] = [argument(e, 0), argument(e, 1), argument(e, 2)];
  const name = algorithm(b, argument(e, 3));
  b.block(`if (${b.expression(condition)})`, (inner) => {
    packData(inner, data);
    if (payload) inner.line(`$bits.putBytes(${rt('payload')});`);
    const value = fromBig(hashCall(name), sum.type);
    if (update) inner.line(place(inner, sum).write(value));
    else inner.line(`if (${value} !== ${inner.expression(sum)}) ${rt('checksumError')};`);
  });
  return '';
}

export const hash: ExternFunction = {
  write(b, e) {
    const name = algorithm(b, argument(e, 1));
    const base = b.spill(big(b, argument(e, 2)));
    const most = b.spill(big(b, argument(e, 4)));
    packData(b, argument(e, 3));
    const result = e.args[0]?.value;
    const value = rt('hashWithin', hashCall(name), base, most);
    return store(b, e, 0, result ? fromBig(value, result.type) : value);
  },
};

export const verifyChecksum: ExternFunction = { write: (b, e) => checksum(b, e, false, false) };
export const updateChecksum: ExternFunction = { write: (b, e) => checksum(b, e, true, false) };
export const verifyChecksumWithPayload: ExternFunction = { write: (b, e) => checksum(b, e, false, true) };
export const updateChecksumWithPayload: ExternFunction = { write: (b, e) => checksum(b, e, true, true) };

/** The checksum extern, which has no state between calls. */
export const checksum16 = externClass({
  make: () => ({}),
  methods: {
    get(b, e) {
      packData(b, argument(e, 0));
      return b.spill(fromBig(hashCall('csum16'), e.type));
    },
  },
});
