// v1model: a register of structs holds copies.
#include "include/plain.p4"

struct pair_t {
    bit<8> x;
    bit<48> y;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<pair_t>(4) r;

    apply {
        sm.egress_spec = 1;
        pair_t p;
        r.read(p, 1);
        p.x = p.x + 1;
        p.y = p.y + 0x100000000;
        r.write(1, p);
        p.x = 99;
        r.read(p, 1);
        hdr.data.d = p.x;
        hdr.data.a = p.y[47:16];
    }
}

#include "include/main.p4"
