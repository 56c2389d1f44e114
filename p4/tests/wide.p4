// P4_16 §8.7: widths beyond a machine word.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<128> x = 128w1 << 100;
        x = x + ((bit<128>) hdr.data.b << 96) - 1;
        hdr.data.a = x[127:96];
        hdr.data.b = x[31:0];
        bit<65> y = 65w0x1ffffffffffffffff;
        y = y + 1;
        hdr.data.c = y[15:0];
        hdr.data.d = (x > 5) ? 8w1 : 8w2;
        int<40> z = -5;
        hdr.data.e = (z < 3) ? 8w7 : 8w9;
    }
}

#include "include/main.p4"
