// P4_16 §8.7: division and remainder round towards zero.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = (hdr.data.a + 99) / 7;
        hdr.data.b = (hdr.data.b + 98) % 7;
        hdr.data.c = 17 / 5;
        hdr.data.d = 17 % 5;
    }
}

#include "include/main.p4"
