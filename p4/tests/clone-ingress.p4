// v1model: a clone made in ingress is the packet as received, with the metadata in the field list.
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
    @field_list(1)
    bit<8> x;
    bit<8> lost;
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
        meta.x = hdr.h.n + 1;
        hdr.h.n = 0x50;
        clone_preserving_field_list(CloneType.I2E, 7, 1);
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
        if (sm.instance_type == 1) {
            hdr.h.n = hdr.h.n + meta.x + (bit<8>) sm.instance_type * 0x10 + meta.lost;
        }
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
