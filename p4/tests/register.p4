// v1model: registers start at 0 and keep their values; reads out of bounds return 0.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<bit<32>>(8) seen;

    apply {
        sm.egress_spec = 1;
        bit<32> n;
        seen.read(n, (bit<32>) hdr.data.d);
        n = n + 1;
        seen.write((bit<32>) hdr.data.d, n);
        hdr.data.a = n;
        seen.read(hdr.data.b, 100);
    }
}

#include "include/main.p4"
