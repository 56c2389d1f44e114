// P4_16 §13.10: a parser within a parser, with a constructor parameter; its error rejects the outer parser too.
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

parser inner(packet_in packet, out v_t v, out bit<8> sum)(bit<8> more) {
    bit<8> start_value = more;
    state start {
        packet.extract(v);
        transition add;
    }
    state add {
        sum = v.v + start_value;
        transition accept;
    }
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    inner(3) sub;
    state start {
        packet.extract(hdr.h);
        sub.apply(packet, hdr.v, meta.x);
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
