// What is not set is 0 here, and metadata starts anew with every packet.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> x;
        data_t h;
        hdr.data.d = x;
        hdr.data.e = h.d;
        meta.x = meta.x + 1;
        hdr.data.c = (bit<16>) meta.x;
    }
}

#include "include/main.p4"
