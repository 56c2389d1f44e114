// P4_16 §10, §7.2.11: generic functions and structs.
#include "include/plain.p4"

struct pair_t<T> {
    T x;
    T y;
}

T max<T>(in T x, in T y) {
    if (x < y) {
        return y;
    }
    return x;
}

pair_t<bit<8>> flip(in pair_t<bit<8>> p) {
    return { p.y, p.x };
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = max(hdr.data.a, hdr.data.b);
        hdr.data.c = max(hdr.data.c, 16w2);
        hdr.data.d = max<bit<8>>(1, hdr.data.d);
        pair_t<bit<8>> p = { hdr.data.e, 9 };
        p = flip(p);
        hdr.data.e = p.x;
    }
}

#include "include/main.p4"
