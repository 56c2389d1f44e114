// P4_16 §13: errors from verify, from a select without a matching case, from too short a packet, and from reject.
// Ingress sees the error.
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

error { Seven }

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        verify(hdr.h.n != 7, error.Seven);
        transition select(hdr.h.n) {
            0..9: more;
        }
    }
    state more {
        packet.extract(hdr.v);
        transition select(hdr.v.v) {
            0xff: reject;
            default: accept;
        }
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (sm.parser_error == error.Seven) { hdr.h.n = 0xa7; }
        else if (sm.parser_error == error.NoMatch) { hdr.h.n = 0xa1; }
        else if (sm.parser_error == error.PacketTooShort) { hdr.h.n = 0xa2; }
        else if (sm.parser_error == error.NoError) { hdr.h.n = hdr.h.n + 0x10; }
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
