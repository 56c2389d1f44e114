// P4_16 §13.6, §8.16: masks, ranges, default and _ in tuples.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> n;
}

header v_t {
    bit<8> v;
}

struct headers_t {
    h_t h;
    v_t v;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    const bit<8> five = 5;
    state start {
        packet.extract(hdr.h);
        packet.extract(hdr.v);
        transition select(hdr.h.n, hdr.v.v, hdr.h.n == hdr.v.v) {
            (1, 2, _): a;
            (0x10 &&& 0xf0, 0..five, false): b;
            (_, 0x80 &&& 0x80, true): c;
            (default, 9, default): d;
            default: e;
        }
    }
    state a { meta.x = 0xa; transition accept; }
    state b { meta.x = 0xb; transition accept; }
    state c { meta.x = 0xc; transition accept; }
    state d { meta.x = 0xd; transition accept; }
    state e { meta.x = 0xe; transition accept; }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.n = meta.x;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
