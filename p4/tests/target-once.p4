// P4_16 §6.7: an assignment target, including its indices, is evaluated once. In a range, the low end is evaluated
// first.
#include <core.p4>
#include <v1model.p4>

header byte_t {
    bit<8> x;
}

header word_t {
    bit<16> x;
}

header_union u_t {
    byte_t byte;
    word_t word;
}

struct headers_t {
    byte_t    count;
    byte_t[3] bytes;
    u_t[3]    unions;
}

struct metadata_t {
}

bit<8> next(inout bit<8> i) {
    i = i + 1;
    return i;
}

void double(inout bit<4> x) {
    x = x * 2;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        packet.extract(hdr.count);
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
        hdr.bytes[next(i)].x[7:4] = 5;
        double(hdr.bytes[next(i)].x[3:0]);
        i = 0;
        hdr.unions[next(i)].word.setValid();
        hdr.unions[i].word.x = 0x1234;
        hdr.unions[next(i)].byte = { 0x56 };
        bit<8> n = 0;
        for (bit<8> k in next(n)..next(n) + 2) {
            hdr.count.x = hdr.count.x * 10 + k;
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
