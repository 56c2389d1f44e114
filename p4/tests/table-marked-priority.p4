// @priority on entries, an older syntax for priorities: the lowest number wins, and the default is the entry's
// position.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = { hdr.data.d : ternary; }
        actions = { set; }
        default_action = set(0);
        const entries = {
            0x10 &&& 0xf0 : set(1) @priority(4);
            0x11 : set(2) @priority(3);
            0x12 &&& 0x1f : set(3);
            0x14 : set(4) @priority(5);
        }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
