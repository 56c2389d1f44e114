// P4_16 §8.19: last, assignment, comparison and size of stacks.
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
    v_t[2] s;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        packet.extract(hdr.s.next);
        packet.extract(hdr.s.next);
        hdr.s.last.v = hdr.s.last.v + 1;
        transition select(hdr.s.last.v) {
            0x10: marked;
            default: accept;
        }
    }
    state marked {
        meta.x = 9;
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        v_t[2] copy = hdr.s;
        bool same = copy == hdr.s;
        copy[0].v = 0;
        hdr.h.n = meta.x + (same ? 8w0x10 : 8w0) + (copy == hdr.s ? 8w0x20 : 8w0) + (bit<8>) hdr.s.size;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
