// P4_16 §9: sizes known at compile time.
#include "include/plain.p4"

struct sizes_t {
    bit<8> x;
    bit<9> y;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = hdr.data.minSizeInBits();
        hdr.data.b = data_t.maxSizeInBytes();
        hdr.data.c = (bit<16>) sizes_t.minSizeInBits() + 1;
    }
}

#include "include/main.p4"
