// P4_16 §8.1: operands are evaluated from left to right, including the effects of calls.
#include "include/plain.p4"

bit<32> next(inout bit<32> x) {
    x = x + 1;
    return x;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<32> x = 1;
        hdr.data.a = x + next(x) + x;
        x = 1;
        hdr.data.b = next(x) * 10 + next(x);
    }
}

#include "include/main.p4"
