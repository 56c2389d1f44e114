// P4_16 §12.1: assignment with an operator.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a += 9;
        hdr.data.b <<= 4;
        hdr.data.c |= 0x10;
        hdr.data.d |-|= 5;
        hdr.data.e >>= 1;
        hdr.data.e ^= 3;
    }
}

#include "include/main.p4"
