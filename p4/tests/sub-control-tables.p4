// Each instance of a control has its own tables.
#include "include/plain.p4"

control look(inout bit<8> x, inout bit<8> hits) {
    action set(bit<8> v) { x = v; }
    table t {
        key = { x : exact; }
        actions = { set; NoAction; }
    }
    apply {
        if (t.apply().hit) { hits = hits + 1; }
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    look() one;
    look() two;

    apply {
        sm.egress_spec = 1;
        one.apply(hdr.data.d, hdr.data.e);
        two.apply(hdr.data.d, hdr.data.e);
    }
}

#include "include/main.p4"
