// P4_16 §12.1: `x op= y` evaluates x once, before evaluating y.
#include <core.p4>
#include <v1model.p4>

header byte_t {
    bit<8> x;
}

struct headers_t {
    byte_t[3] bytes;
}

struct metadata_t {
}

bit<8> next(inout bit<8> i) {
    i = i + 1;
    return i;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.bytes.next);
        packet.extract(hdr.bytes.next);
        packet.extract(hdr.bytes.next);
        transition accept;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<8> i = 0;
        hdr.bytes[next(i)].x += 0x10;
        hdr.bytes[next(i)].x[7:4] |= next(i)[3:0];
        hdr.bytes[0].x <<= i;
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
