// P4_16 §8.7: ++ puts the left operand in the high bits.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = hdr.data.c ++ hdr.data.d ++ hdr.data.e;
        bit<40> w = hdr.data.b ++ hdr.data.d;
        hdr.data.b = w[39:8] + (bit<32>) w[7:0];
        hdr.data.c = 4w1 ++ hdr.data.d ++ 4w2;
        int<4> n = -1;
        hdr.data.d = 4w5 ++ (bit<4>) n;
    }
}

#include "include/main.p4"
