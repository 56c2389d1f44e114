// P4_16 §14.2.1.4: with largest_priority_wins = false, the smallest number wins. An entry without a priority has that
// of the previous entry plus priority_delta, 10; here the priorities are 30, 20, 30.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.data.e = v; }
    table t {
        key = { hdr.data.d : ternary; }
        actions = { set; }
        default_action = set(0);
        largest_priority_wins = false;
        priority_delta = 10;
        entries = {
            const priority = 30: 0x10 &&& 0xf0 : set(3);
            priority = 20: 0x11 : set(2);
            0x00 &&& 0x00 : set(4);
        }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
