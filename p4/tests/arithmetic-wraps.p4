// P4_16 §8.7: bit<W> arithmetic is modulo 2^W.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = hdr.data.a - 2;
        hdr.data.b = hdr.data.b * 0x80000001;
        hdr.data.c = -hdr.data.c;
        hdr.data.d = ~hdr.data.d;
        hdr.data.e = hdr.data.e + 255;
    }
}

#include "include/main.p4"
