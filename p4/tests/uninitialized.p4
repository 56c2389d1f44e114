// Uninitialized values are 0 here, and metadata is reset for every packet.
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
