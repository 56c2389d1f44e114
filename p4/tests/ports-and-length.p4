// v1model: ingress adds the input port 4 and the length of 3 bytes, and egress adds 0x80 for the output port 5.
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
    state start {
        packet.extract(hdr.h);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.n = (bit<8>) sm.ingress_port + (bit<8>) sm.packet_length;
        sm.egress_spec = sm.ingress_port + 1;
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
        if (sm.egress_port == 5) {
            hdr.h.n = hdr.h.n + 0x80;
        }
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
