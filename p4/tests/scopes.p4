// P4_16 §6.9: inner names hide outer names; a leading dot refers to the outermost scope.
#include "include/plain.p4"

const bit<8> limit = 10;

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> x = 1;
        {
            bit<8> x = 2;
            x = x + 1;
            hdr.data.d = x;
        }
        hdr.data.e = x + limit;
        {
            const bit<8> limit = 50;
            hdr.data.c = (bit<16>) limit + (bit<16>) .limit;
        }
    }
}

#include "include/main.p4"
