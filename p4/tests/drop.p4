// v1model: mark_to_drop.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.data.d == 4) {
            mark_to_drop(sm);
        }
    }
}

#include "include/main.p4"
