// P4_16 §14.2.2: hit and miss; a table without keys always misses.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action mark(bit<8> v) { hdr.data.e = v; }
    table t {
        key = { hdr.data.d : exact; }
        actions = { mark; NoAction; }
        const default_action = NoAction();
    }
    table u {
        actions = { NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        if (t.apply().hit) { hdr.data.a = 100; } else { hdr.data.a = 200; }
        if (!u.apply().miss) { hdr.data.b = 1; }
    }
}

#include "include/main.p4"
