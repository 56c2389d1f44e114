// P4_16 §8.14-8.17: structs are values, made from lists, records and `...`.
#include "include/plain.p4"

struct inner_t {
    bit<8> x;
    bit<8> y;
}

struct outer_t {
    inner_t i;
    bit<8> n;
}

outer_t outer_t_make(in bit<8> x, in bit<8> y, in bit<8> n) {
    return { i = { x = x, y = y }, n = n };
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        inner_t i = { 1, 2 };
        outer_t o = { i = i, n = 3 };
        i.x = 50;
        hdr.data.d = o.i.x;
        hdr.data.e = o.n + o.i.y;
        outer_t q = o;
        q.i.y = 9;
        hdr.data.a = (o == q) ? 32w1 : 32w0;
        o = { { 7, 8 }, 9 };
        hdr.data.b = (bit<32>) (o.i.x ++ o.i.y ++ o.n);
        inner_t z = { ... };
        hdr.data.c = (bit<16>) z.x + (o == outer_t_make(7, 8, 9) ? 16w256 : 16w0);
    }
}

#include "include/main.p4"
