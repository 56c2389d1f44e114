// The longest prefix wins, independent of the order of the entries.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = { hdr.data.a : lpm; }
        actions = { set; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
