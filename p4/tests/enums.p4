// P4_16 §8.3: enums, and enums with an underlying type.
#include "include/plain.p4"

enum color_t { red, green, blue }

enum bit<16> kind_t { one = 1, two = 1 + 1, three = 3 }

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        color_t c = color_t.green;
        hdr.data.a = (c == color_t.green) ? 32w1 : 32w0;
        hdr.data.c = kind_t.two;
        kind_t k = (kind_t) hdr.data.b[15:0];
        hdr.data.b = (k == kind_t.two) ? 32w1 : 32w0;
        hdr.data.d = (bit<8>) (bit<16>) kind_t.three;
        switch (k) {
            kind_t.one: { hdr.data.e = 1; }
            kind_t.two: { hdr.data.e = 2; }
        }
    }
}

#include "include/main.p4"
