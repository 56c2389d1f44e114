// P4_16 §15: constructor parameters, two instances of one control, and one applied without an instance.
#include "include/plain.p4"

control step(inout bit<32> to, inout bit<8> d)(bit<32> by) {
    apply {
        to = to + by;
        d = d - 1;
    }
}

control adder(inout bit<32> to, in bit<32> n) {
    bit<32> seven = 7;
    apply {
        to = to + n + seven;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    step(5) first;
    step(10) second;

    apply {
        sm.egress_spec = 1;
        first.apply(hdr.data.a, hdr.data.d);
        second.apply(hdr.data.a, hdr.data.d);
        adder.apply(hdr.data.b, 1);
    }
}

#include "include/main.p4"
