// P4_16 §8.19, §13.9: a loop over a header stack.
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
    v_t[3] s;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        transition select(hdr.h.n) {
            0: accept;
            default: more;
        }
    }
    state more {
        packet.extract(hdr.s.next);
        hdr.h.n = hdr.h.n - 1;
        transition select(hdr.h.n) {
            0: accept;
            default: more;
        }
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.n = hdr.s[0].v + hdr.s[1].v + hdr.s[2].v;
        hdr.s[1].v = (bit<8>) hdr.s.lastIndex;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
