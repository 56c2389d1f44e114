// P4_16 §19: static_assert.
#include "include/plain.p4"

const bool checked = static_assert(2 + 2 == 4, "arithmetic");

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.e = 1;
    }
}

#include "include/main.p4"
