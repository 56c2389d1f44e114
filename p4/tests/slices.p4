// P4_16 §8.7: slices are read, written and sliced.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a[31:24] = hdr.data.d;
        hdr.data.a[3:0] = 4w0xf;
        hdr.data.b = (bit<32>) hdr.data.c[1:1] + 7;
        hdr.data.c[15:8][3:0] = 4w9;
        bit<64> w = 0;
        w[63:32] = 0x01020304;
        w[35:28] = 8w0xff;
        hdr.data.d = w[39:32];
        hdr.data.e = w[31:24];
    }
}

#include "include/main.p4"
