/*
 * Externs that act on the current packet: drop, clone, resubmit, recirculate, truncate, digest. The switch carries out
 * clones, resubmissions and recirculations after the control has ended.
 */
import type { Body } from '../compiler/generate/body.ts';
import { packData } from '../compiler/generate/bits.ts';
import type { Expr } from '../compiler/ir.ts';
import { argument, number, rt, run } from './extern.ts';
import type { ExternCall, ExternFunction } from './extern.ts';

/** The field list that preserves no metadata. */
const NO_FIELDS = '-1';

/** Rejects the old syntax, which lists the metadata fields to preserve. */
function oldFieldList(b: Body, e: ExternCall, at: number, instead: string): never {
  return b.module.diagnostics.refuse(
    argument(e, at).span,
    `${e.name} with a list of fields; use ${instead}`,
    'v1model, field lists',
  );
}

const isEmptyList = (e: Expr): boolean => e.op === 'aggregate' && e.parts.length === 0;

export const markToDrop: ExternFunction = {
  write(b, e) {
    const target = e.args[0]?.value;
    if (!target) return run(b, rt('drop'));
    const name = b.expression(target);
    b.line(`${name}.egress_spec = 511; ${name}.mcast_grp = 0;`);
    return '';
  },
};

export const clone: ExternFunction = {
  write: (b, e) => run(b, rt('clone', number(b, argument(e, 0)), number(b, argument(e, 1)), NO_FIELDS)),
};

export const clonePreservingFieldList: ExternFunction = {
  write: (b, e) => run(b, rt('clone', ...[0, 1, 2].map((at) => number(b, argument(e, at))))),
};

export const clone3: ExternFunction = {
  write: (b, e) => oldFieldList(b, e, 2, 'clone_preserving_field_list'),
};

export const resubmit: ExternFunction = {
  write(b, e) {
    if (!isEmptyList(argument(e, 0))) oldFieldList(b, e, 0, 'resubmit_preserving_field_list');
    return run(b, rt('resubmit', NO_FIELDS));
  },
};

export const recirculate: ExternFunction = {
  write(b, e) {
    if (!isEmptyList(argument(e, 0))) oldFieldList(b, e, 0, 'recirculate_preserving_field_list');
    return run(b, rt('recirculate', NO_FIELDS));
  },
};

export const resubmitPreservingFieldList: ExternFunction = {
  write: (b, e) => run(b, rt('resubmit', number(b, argument(e, 0)))),
};

export const recirculatePreservingFieldList: ExternFunction = {
  write: (b, e) => run(b, rt('recirculate', number(b, argument(e, 0)))),
};

export const truncate: ExternFunction = {
  write: (b, e) => run(b, rt('truncate', number(b, argument(e, 0)))),
};

export const digest: ExternFunction = {
  write(b, e) {
    const receiver = number(b, argument(e, 0));
    packData(b, argument(e, 1));
    return run(b, rt('digest', receiver, '$bits'));
  },
};
