// A program for several architectures uses these macros to detect its libraries.
#include "include/plain.p4"
// A second include has no effect.
#include <v1model.p4>

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        #if defined(_V1_MODEL_P4_)
        hdr.data.a = 1;
        #endif
        #ifdef _CORE_P4_
        hdr.data.b = 2;
        #endif
        #if defined(_PSA_P4_) || !defined(_CORE_P4_)
        hdr.data.c = 3;
        #endif
    }
}

#include "include/main.p4"
