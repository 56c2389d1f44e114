// P4_16 §8.21: _ ignores an out argument.
#include "include/plain.p4"

void split(in bit<16> x, out bit<8> high, out bit<8> low) {
    high = x[15:8];
    low = x[7:0];
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        split(hdr.data.c, _, hdr.data.d);
    }
}

#include "include/main.p4"
