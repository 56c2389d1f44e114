// Generated names of types, variables and temporary values never clash with a program's names.
#include <core.p4>
#include <v1model.p4>

header byte_t {
    bit<8> x;
}

header h {
    bit<8> x;
}

struct headers_t {
    byte_t data;
    h      h;
}

struct metadata_t {
    h t;
}

parser parse(packet_in packet, out headers_t h, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(h.data);
        meta.t = { h.data.x };
        transition accept;
    }
}

control ingress(inout headers_t h, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> t = 1;
        h.h = { t };
        bit<8> loop = 0;
        for (bit<8> next in 1..3) {
            h.h.x = h.h.x + next;
            loop = loop + 1;
        }
        h.data.x = loop + t + meta.t.x;
    }
}

control deparse(packet_out packet, in headers_t h) {
    apply {
        packet.emit(h);
    }
}

#define hdr h
#include "include/blocks.p4"
#include "include/main.p4"
