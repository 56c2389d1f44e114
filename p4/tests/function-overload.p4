// P4_16 §7.2.10.2: overloading by the number of parameters.
#include "include/plain.p4"

bit<32> f(in bit<32> x) {
    return x + 1;
}

bit<32> f(in bit<32> x, in bit<32> y) {
    return x + y;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = f(hdr.data.a);
        hdr.data.b = f(hdr.data.a, hdr.data.b);
    }
}

#include "include/main.p4"
