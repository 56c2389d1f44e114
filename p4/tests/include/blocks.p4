// The blocks that do nothing in most tests.
control checked_sums(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control compute(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

#ifndef OWN_EGRESS
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {}
}
#endif
