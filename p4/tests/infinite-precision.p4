// P4_16 §8.9: arbitrary-precision constants.
#include "include/plain.p4"

const int K = 20;
const int W = K / 6;

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        const int big = 1 << 70;
        hdr.data.a = (big >> 64) + 1;
        hdr.data.b = (bit<32>) (big - big - 1);
        hdr.data.c = K * 2;
        hdr.data.d = 8w10 + K;
        hdr.data.e = W == 3 ? 8w1 : 8w0;
    }
}

#include "include/main.p4"
