// P4_16 §8.6, §8.13, §8.17: constant structs and tuples are compared at compile time; strings can be concatenated.
#include "include/plain.p4"

struct pair_t {
    bit<8> x;
    bool   y;
}

const pair_t P = { 1, true };
const tuple<bit<8>, bit<8>> T = { 1, 2 };
const bool SAME = P == { y = true, x = 1 };
const bool OTHER = P != (pair_t) { 1, true };
const bool TUPLES = T == { 1, 3 };

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        log_msg("joined " ++ "at compile time");
        if (SAME && !OTHER && !TUPLES) {
            hdr.data.e = 0xaa;
        }
    }
}

#include "include/main.p4"
