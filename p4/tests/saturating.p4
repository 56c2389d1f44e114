// P4_16 §8.7, §8.8: saturating arithmetic.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = hdr.data.a |-| 2;
        hdr.data.b = hdr.data.b |+| 0xffffffff;
        hdr.data.c = hdr.data.c |+| 4;
        int<8> s = 100;
        s = s |+| 100;
        hdr.data.d = (bit<8>) s;
        s = -100;
        s = s |-| 100;
        hdr.data.e = (bit<8>) s;
    }
}

#include "include/main.p4"
