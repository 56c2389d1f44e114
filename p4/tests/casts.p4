// P4_16 §8.12: explicit casts.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = (bit<32>) hdr.data.c;
        hdr.data.b = (bit<32>) (bit<4>) hdr.data.b[31:0];
        hdr.data.c = (bit<16>) (bit<1>) (hdr.data.d == 4);
        bool t = (bool) hdr.data.e[0:0];
        if (t) { hdr.data.d = (bit<8>) 0x1ff[7:0]; }
        hdr.data.e = (bit<8>) (int<8>) -1;
    }
}

#include "include/main.p4"
