// P4_16 §12.4: return in a control ends its apply.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.data.d == 4) {
            hdr.data.a = 2;
            return;
        }
        hdr.data.a = 3;
    }
}

#include "include/main.p4"
