// P4_16 §12.8: the variable of a loop over values is a new copy in each iteration, so writing to it changes nothing
// else.
#include "include/plain.p4"

struct pair_t {
    bit<8> x;
    bit<8> y;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        for (bit<8> i in 1..3) {
            i = i * 2;
            hdr.data.d = hdr.data.d + i;
        }
        pair_t p = { 5, 6 };
        for (pair_t q in { p, p, { 1, 1 } }) {
            q.x = q.x + 1;
            hdr.data.e = hdr.data.e + q.x;
        }
        hdr.data.a = (bit<32>) p.x;
        for (bit<8> i in { 7, 8 }) {
            i += 1;
            hdr.data.b = (bit<32>) i;
        }
    }
}

#include "include/main.p4"
