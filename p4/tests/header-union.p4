// P4_16 §8.20: at most one header of a union is valid.
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

header_union u_t {
    v_t v;
    w_t w;
}

struct headers_t {
    h_t h;
    u_t u;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        transition select(hdr.h.n) {
            1: one;
            2: two;
            default: accept;
        }
    }
    state one {
        packet.extract(hdr.u.v);
        transition accept;
    }
    state two {
        packet.extract(hdr.u.w);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.u.v.isValid()) {
            bit<8> v = hdr.u.v.v;
            hdr.u.w.setValid();
            hdr.u.w.w = 8w0 ++ v;
        } else if (hdr.u.w.isValid()) {
            hdr.u.v = { hdr.u.w.w[7:0] };
        }
        hdr.h.n[7:7] = (bit<1>) hdr.u.isValid();
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
