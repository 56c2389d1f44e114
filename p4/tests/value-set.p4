// P4_16 §13.11: a value set is empty until the control plane adds members.
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
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    value_set<bit<8>>(4) known;
    state start {
        packet.extract(hdr.h);
        transition select(hdr.h.n) {
            known: yes;
            default: accept;
        }
    }
    state yes {
        meta.x = 1;
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.n = hdr.h.n + meta.x;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
