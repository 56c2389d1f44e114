// Shared by most tests: one header of 12 bytes, a parser that extracts it, and the v1model includes.
#include <core.p4>
#include <v1model.p4>

header data_t {
    bit<32> a;
    bit<32> b;
    bit<16> c;
    bit<8>  d;
    bit<8>  e;
}

struct headers_t {
    data_t data;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.data);
        transition accept;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}
#include "blocks.p4"
