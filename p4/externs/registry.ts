/* All supported externs of core.p4 and v1model.p4, by their P4 names. The compiler rejects the others by name. */
import { actionProfile } from './action-profiles.ts';
import { assert, assume, staticAssert, verify } from './claims.ts';
import { counter, directCounter } from './counters.ts';
import type { AnyExternClass, ExternFunction } from './extern.ts';
import {
  checksum16,
  hash,
  updateChecksum,
  updateChecksumWithPayload,
  verifyChecksum,
  verifyChecksumWithPayload,
} from './hashes.ts';
import { logMsg } from './log-msg.ts';
import { directMeter, meter } from './meters.ts';
import {
  clone,
  clone3,
  clonePreservingFieldList,
  digest,
  markToDrop,
  recirculate,
  recirculatePreservingFieldList,
  resubmit,
  resubmitPreservingFieldList,
  truncate,
} from './packets.ts';
import { random } from './random.ts';
import { register } from './register.ts';

export const EXTERN_FUNCTIONS: ReadonlyMap<string, ExternFunction> = new Map(
  Object.entries({
    verify,
    static_assert: staticAssert,
    assert,
    assume,
    log_msg: logMsg,
    mark_to_drop: markToDrop,
    hash,
    random,
    digest,
    verify_checksum: verifyChecksum,
    update_checksum: updateChecksum,
    verify_checksum_with_payload: verifyChecksumWithPayload,
    update_checksum_with_payload: updateChecksumWithPayload,
    clone,
    clone_preserving_field_list: clonePreservingFieldList,
    clone3,
    resubmit,
    resubmit_preserving_field_list: resubmitPreservingFieldList,
    recirculate,
    recirculate_preserving_field_list: recirculatePreservingFieldList,
    truncate,
  }),
);

export const EXTERN_CLASSES: ReadonlyMap<string, AnyExternClass> = new Map(
  Object.entries({
    register,
    counter,
    direct_counter: directCounter,
    meter,
    direct_meter: directMeter,
    action_profile: actionProfile,
    action_selector: actionProfile,
    Checksum16: checksum16,
  }),
);
