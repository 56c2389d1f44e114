// P4_16 §12.5: exit within a condition of an action.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action step(inout bit<8> x) {
        x = x + 1;
        if (x == 6) {
            exit;
        }
    }

    apply {
        sm.egress_spec = 1;
        step(hdr.data.d);
        step(hdr.data.d);
        step(hdr.data.d);
        hdr.data.a = 1234;
    }
}

#include "include/main.p4"
