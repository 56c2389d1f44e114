// P4_16 §8.3, §8.16: in a key set, a serializable enum acts as its underlying type, so masks and ranges work in entries
// and in select.
#include <core.p4>
#include <v1model.p4>

enum bit<16> kind_t { none = 0, low = 0x0012, high = 0x1200, top = 0x12ff }

header h_t {
    kind_t kind;
    bit<8> n;
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
        transition select(hdr.h.kind) {
            kind_t.low &&& 0x00ff: a;
            kind_t.high .. 0x1280: b;
            0x8000 &&& kind_t.none: c;
        }
    }
    state a { meta.x = 0xa; transition accept; }
    state b { meta.x = 0xb; transition accept; }
    state c { meta.x = 0xc; transition accept; }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.h.v = v; }
    table masked {
        key = { hdr.h.kind : ternary; }
        actions = { set; NoAction; }
        const entries = {
            kind_t.low : set(1);
            kind_t.high &&& 0xff00 : set(2);
            0x8000 &&& 0x8000 : set(3);
        }
    }
    apply {
        sm.egress_spec = 1;
        hdr.h.n = meta.x;
        masked.apply();
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#include "include/blocks.p4"
#include "include/main.p4"
