// P4_16 §8.19: push_front and pop_front move and invalidate; an index may be computed.
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
        packet.extract(hdr.s.next);
        packet.extract(hdr.s.next);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.h.n == 1) {
            hdr.s.push_front(1);
            hdr.s[0].setValid();
            hdr.s[0].v = 0x77;
        } else if (hdr.h.n == 2) {
            hdr.s.pop_front(1);
        } else if (hdr.h.n == 3) {
            hdr.s.push_front(2);
        } else {
            hdr.s[hdr.h.n[1:0]].setValid();
            hdr.s[hdr.h.n[1:0]].v = 0x66;
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
