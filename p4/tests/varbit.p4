// P4_16 §13.8.2: a varbit field of given size, with fields before and after.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> n;
}

header v_t {
    bit<8> v;
}

header o_t {
    bit<8> len;
    varbit<32> data;
    bit<8> end;
}

struct headers_t {
    h_t h;
    o_t o;
}

struct metadata_t {
    bit<8> x;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        packet.extract(hdr.o, (bit<32>) hdr.h.n * 8);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (sm.parser_error == error.HeaderTooShort) { hdr.h.n = 0xee; }
        else { hdr.o.end = hdr.o.end + 1; }
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
