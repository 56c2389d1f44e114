// v1model: a checksum over headers and payload.
#include <core.p4>
#include <v1model.p4>

header ip_t {
    bit<16> a;
    bit<16> b;
    bit<16> sum;
}

struct headers_t {
    ip_t ip;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.ip);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;

    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

control checked_sums(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control compute(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum_with_payload(true, { hdr.ip.a, hdr.ip.b }, hdr.ip.sum, HashAlgorithm.csum16);
    }
}

control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {}
}

#include "include/main.p4"
