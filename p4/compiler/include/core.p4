/*
 * The core library of P4_16, written from the specification: §6.3, §7.1.2 (errors), §13.8 (packet_in),
 * §14.2.1.1 (match kinds) and §16 (packet_out).
 */
#ifndef _CORE_P4_
#define _CORE_P4_

error {
    NoError,            // no error
    PacketTooShort,     // the packet has fewer bits than the parser extracts
    NoMatch,            // no case of a select matches
    StackOutOfBounds,   // a header stack has no such element
    HeaderTooShort,     // the given size exceeds the maximum of the varbit
    ParserTimeout,      // the parser exceeded its limit of states
    ParserInvalidArgument  // an argument of a parser operation is invalid
}

/// The received packet.
extern packet_in {
    /// Reads a header of fixed size.
    void extract<T>(out T headerLvalue);
    /// Reads a header with one varbit field of the given size.
    void extract<T>(out T variableSizeHeader, in bit<32> variableFieldSizeInBits);
    /// Reads a value without advancing in the packet.
    T lookahead<T>();
    /// Skips bits without reading them.
    void advance(in bit<32> sizeInBits);
    /// The packet's length in bytes.
    bit<32> length();
}

/// The packet to send.
extern packet_out {
    void emit<T>(in T data);
}

/// In a parser: transitions to reject with the given error if the condition is false.
extern void verify(in bool check, in error toSignal);

/// The compiler rejects the program if the condition is false.
extern bool static_assert(bool check, string message);
extern bool static_assert(bool check);

@noWarn("unused")
action NoAction() {}

match_kind {
    exact,
    ternary,
    lpm
}

#endif
