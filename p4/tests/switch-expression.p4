// P4_16 §12.7.2: switch on an expression, with labels that fall through.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        switch (hdr.data.d) {
            1:
            2: { hdr.data.a = 12; }
            4:
            5: { hdr.data.a = 45; }
            default: { hdr.data.a = 99; }
        }
        switch (hdr.data.c) {
            16w1: { hdr.data.b = 1; }
            default: { hdr.data.b = 2; }
        }
    }
}

#include "include/main.p4"
