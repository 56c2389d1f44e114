// P4_16 §6.8: arguments by name.
#include "include/plain.p4"

void mix(out bit<16> r, in bit<8> high, in bit<8> low) {
    r = high ++ low;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        mix(low = hdr.data.d, high = hdr.data.e, r = hdr.data.c);
    }
}

#include "include/main.p4"
