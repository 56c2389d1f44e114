// v1model: random returns a value from lo to hi, both inclusive.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> r;
        random(r, 3, 3);
        hdr.data.d = r;
        random(r, 10, 12);
        hdr.data.e = (r >= 10 && r <= 12) ? 8w1 : 8w0;
    }
}

#include "include/main.p4"
