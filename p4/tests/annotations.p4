// P4_16 §20: names for the control plane, and unknown annotations.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    @name(".other.go") @brief("sets e")
    action set(@name("w") bit<8> v) { hdr.data.e = v; }
    @name(".other.name") @my[1, 2]
    table t {
        key = { hdr.data.d : exact @name("key"); }
        actions = { @tableonly set; @defaultonly NoAction; }
        default_action = NoAction();
    }

    apply {
        sm.egress_spec = 1;
        @hidden
        {
            t.apply();
        }
    }
}

#include "include/main.p4"
