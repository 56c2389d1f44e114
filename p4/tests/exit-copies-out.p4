// P4_16 §12.5: exit ends the block, after copying out.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action leave(inout bit<32> x) {
        x = x + 1;
        exit;
    }

    apply {
        sm.egress_spec = 1;
        hdr.data.c = 9;
        leave(hdr.data.a);
        hdr.data.b = 0xdead;
    }
}

#include "include/main.p4"
