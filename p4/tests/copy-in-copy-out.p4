// P4_16 §6.8: copy-in, copy-out.
#include "include/plain.p4"

void both(inout bit<32> a, inout bit<32> b) {
    a = a + 10;
    b = b + 20;
}

void only_out(out bit<32> a) {
    a = 7;
}

void swap(inout bit<8> a, inout bit<8> b) {
    bit<8> t = a;
    a = b;
    b = t;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<32> x = 1;
        both(x, x);
        hdr.data.a = x;
        only_out(hdr.data.b);
        swap(hdr.data.d, hdr.data.e);
    }
}

#include "include/main.p4"
