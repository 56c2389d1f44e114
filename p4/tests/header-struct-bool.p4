// P4_16 §7.2.8: a struct in a header may have the same fields as a header.
#include <core.p4>
#include <v1model.p4>
# 5 "elsewhere.p4"
struct flags_t {
    bool   first;
    bit<7> rest;
}

header byte_t {
    flags_t flags;
}

struct headers_t {
    byte_t one;
}

struct metadata_t {
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.one);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.one.flags.first) {
            hdr.one.flags = { false, 3 };
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
