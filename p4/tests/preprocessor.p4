// P4_16 §6.2: the preprocessor.
#include "include/plain.p4"

#define LEVEL 1
#define TWICE(x) x * 2

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.data.a = TWICE(3 + 1);
        #if defined(FAST) && LEVEL >= 2
        hdr.data.b = 1;
        #elif LEVEL == 1
        hdr.data.b = 2;
        #else
        hdr.data.b = 3;
        #endif
        #ifndef NEVER
        hdr.data.d = LEVEL; /* a comment
           over two lines */
        #endif
    }
}

#include "include/main.p4"
