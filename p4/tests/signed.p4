// P4_16 §8.8: int<W> is two's complement, >> keeps the sign, a wider cast extends it.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        int<8> x = (int<8>) hdr.data.d;
        int<8> y = -7;
        hdr.data.a = (bit<32>) (int<32>) (x + y);
        hdr.data.b = (bit<32>) (bit<8>) (y >> 1);
        hdr.data.c = (bit<16>) (int<16>) (y * 3);
        hdr.data.d = (y < x) ? 8w1 : 8w0;
        hdr.data.e = (bit<8>) (y << 4);
    }
}

#include "include/main.p4"
