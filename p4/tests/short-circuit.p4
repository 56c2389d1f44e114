// P4_16 §8.5: && and || do not evaluate operands unnecessarily.
#include "include/plain.p4"

bool touch(inout bit<32> n) {
    n = n + 1;
    return true;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<32> n = 0;
        if (hdr.data.d == 4 || touch(n)) { hdr.data.a = 10; }
        if (hdr.data.d == 5 && touch(n)) { hdr.data.a = 11; }
        if (hdr.data.d == 4 && touch(n)) { hdr.data.b = n; }
        hdr.data.c = (hdr.data.d == 4 ? 16w1 : 16w2);
    }
}

#include "include/main.p4"
