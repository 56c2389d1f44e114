// P4_16 §8.7: shifting by the width or more gives 0.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = hdr.data.a << 31;
        hdr.data.b = hdr.data.b << hdr.data.e;
        hdr.data.c = hdr.data.c >> 1;
        hdr.data.d = hdr.data.d << 8;
        hdr.data.e = hdr.data.e >> hdr.data.e;
    }
}

#include "include/main.p4"
