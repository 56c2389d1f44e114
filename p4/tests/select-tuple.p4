// P4_16 §13.6: a key may be a tuple.
#include <core.p4>
#include <v1model.p4>

header byte_t {
    bit<8> x;
}

struct headers_t {
    byte_t one;
    byte_t two;
    byte_t three;
}

struct metadata_t {
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.one);
        packet.extract(hdr.two);
        transition select({ hdr.one.x, hdr.two.x }) {
            { 1, 3 }: accept;
            { 1, 2 }: more;
            _: accept;
        }
    }
    state more {
        packet.extract(hdr.three);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.three.isValid()) {
            hdr.three.x = 0xff;
        }
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
