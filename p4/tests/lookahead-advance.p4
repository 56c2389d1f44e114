// P4_16 §13.8.3, §13.8.4: n is the sum of three lookaheads, 0x12 + 0x34 + 2 = 0x48; the first byte is skipped.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> n;
}

header v_t {
    bit<8> v;
}

header w_t {
    bit<16> w;
}

struct headers_t {
    h_t h;
    w_t w;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        bit<8> first = packet.lookahead<bit<8>>();
        w_t ahead = packet.lookahead<w_t>();
        tuple<bit<4>, bit<4>> halves = packet.lookahead<tuple<bit<4>, bit<4>>>();
        meta.x = first + ahead.w[7:0] + (bit<8>) halves[1];
        packet.advance(8);
        packet.extract(hdr.h);
        transition select(packet.lookahead<bit<4>>()) {
            4w0xa: take;
            default: accept;
        }
    }
    state take {
        packet.extract(hdr.w);
        transition accept;
    }
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
