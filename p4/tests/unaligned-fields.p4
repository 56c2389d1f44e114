// Fields that begin and end at any bit of a byte, with widths below and above 32 bits.
#include <core.p4>
#include <v1model.p4>

header b_t {
    bit<3> a;
    bit<13> b;
    bit<1> c;
    bit<47> d;
    int<5> e;
    bit<35> f;
    bool g;
    bit<7> h;
}

struct headers_t {
    b_t b;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.b);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.b.a = hdr.b.a + 1;
        hdr.b.b = hdr.b.b + 1;
        hdr.b.d = hdr.b.d + 1;
        hdr.b.e = hdr.b.e - 1;
        hdr.b.f = hdr.b.f + 1;
        hdr.b.g = !hdr.b.g;
        hdr.b.h = hdr.b.h + 1;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
