// v1model: a clone made in egress is the packet after egress, and is made even if egress drops the original.
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
    @field_list(2)
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        meta.x = 3;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#define OWN_EGRESS
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        if (sm.instance_type == 0) {
            clone_preserving_field_list(CloneType.E2E, 5, 2);
            hdr.h.n = 0xa0;
            mark_to_drop(sm);
        } else {
            hdr.h.n = hdr.h.n + meta.x;
        }
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
