// P4_16 §16: structs of headers are emitted in depth-first order; swapping copies validity.
#include <core.p4>
#include <v1model.p4>

header e_t {
    bit<8> k;
}

struct inner_t {
    e_t x;
    e_t y;
}

struct headers_t {
    inner_t outer;
    inner_t second;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.outer.x);
        packet.extract(hdr.second.y);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        inner_t t = hdr.outer;
        hdr.outer = hdr.second;
        hdr.second = t;
        hdr.second.y.setValid();
        hdr.second.y.k = 0xcc;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
