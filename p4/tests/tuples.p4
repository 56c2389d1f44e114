// P4_16 §8.13: tuples can be indexed by constants, and compared.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        tuple<bit<8>, bit<16>> t = { hdr.data.d, hdr.data.c };
        hdr.data.a = (bit<32>) t[1];
        hdr.data.e = t[0];
        tuple<bit<8>, bit<16>> u = { 4, 3 };
        hdr.data.b = (t == u) ? 32w1 : 32w0;
    }
}

#include "include/main.p4"
