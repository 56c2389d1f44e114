// P4_16 §8.7, §8.8: shifts by more than the width, for numbers and BigInts.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> n = hdr.data.d + 60;
        hdr.data.a = hdr.data.a << n;
        hdr.data.b = hdr.data.b >> n;
        bit<48> w = 48w1 << n;
        hdr.data.c = w[15:0];
        int<8> s = -1;
        hdr.data.d = (bit<8>) (s >> n);
        int<64> v = -2;
        hdr.data.e = (bit<8>) (bit<64>) (v >> n);
    }
}

#include "include/main.p4"
