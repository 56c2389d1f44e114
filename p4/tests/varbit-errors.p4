// P4_16 §13.8.2: if several errors apply, the order is argument, packet, header.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> bits;
}

header o_t {
    varbit<16> data;
}

struct headers_t {
    h_t h;
    o_t o;
}

struct metadata_t {
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.h);
        packet.extract(hdr.o, (bit<32>) hdr.h.bits);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        switch (sm.parser_error) {
            error.NoError: { hdr.h.bits = 0; }
            error.ParserInvalidArgument: { hdr.h.bits = 1; }
            error.PacketTooShort: { hdr.h.bits = 2; }
            error.HeaderTooShort: { hdr.h.bits = 3; }
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
