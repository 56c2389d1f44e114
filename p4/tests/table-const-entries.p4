// P4_16 §14.2.1.4: constant entries; the first match applies.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action a(bit<32> v) { hdr.data.a = v; }
    action b(bit<32> v) { hdr.data.b = v; }
    table t {
        key = { hdr.data.d : range; }
        actions = { a; }
        const default_action = a(13);
        const entries = {
            1 : a(10);
            2..5 : a(11);
            0x10..0x1f : a(12);
        }
    }
    table u {
        key = { hdr.data.c : ternary; }
        actions = { b; NoAction; }
        const entries = {
            0x1200 &&& 0xff00 : b(1);
            0x1000 &&& 0xf000 : b(2);
            0x0000 : NoAction();
            _ : b(3);
        }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
        u.apply();
    }
}

#include "include/main.p4"
