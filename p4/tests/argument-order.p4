// P4_16 §6.8: arguments are evaluated from left to right, so earlier arguments do not see the effects of later ones.
#include "include/plain.p4"

struct pair_t {
    bit<8> x;
    bit<8> y;
}

bit<8> next(inout bit<8> c) {
    c = c + 1;
    return c;
}

bit<8> raise(inout pair_t p) {
    p.x = p.x + 1;
    return p.x;
}

bit<8> digits(in bit<8> a, in bit<8> b, in bit<8> c) {
    return a * 100 + b * 10 + c;
}

bit<8> first(in pair_t p, in bit<8> b) {
    return p.x * 10 + b;
}

bit<8> add(inout bit<8> a, in bit<8> b) {
    a = a * 10;
    return a + b;
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> c = 0;
        hdr.data.d = digits(c, next(c), c);
        pair_t p = { 3, 0 };
        hdr.data.e = first(p, raise(p));
        c = 2;
        hdr.data.c[15:8] = add(c, next(c));
        hdr.data.c[7:0] = c;
        // Named arguments are evaluated in the order in which they are written.
        c = 0;
        hdr.data.a = (bit<32>) digits(c = next(c), a = next(c), b = c);
    }
}

#include "include/main.p4"
