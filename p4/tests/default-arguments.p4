// P4_16 §6.8.2: parameters with a default value.
#include "include/plain.p4"

bit<8> plus(in bit<8> x, in bit<8> y = 1) {
    return x + y;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.d = plus(hdr.data.d);
        hdr.data.e = plus(hdr.data.e, 2);
    }
}

#include "include/main.p4"
