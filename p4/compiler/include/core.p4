/*
 * The core library of P4_16, written from the specification: §6.3, §12 (errors), §13.8 (packet_in),
 * §14.2.1.1 (match kinds) and §16 (packet_out).
 */
#ifndef _CORE_P4_
#define _CORE_P4_

error {
    NoError,            // nothing went wrong
    PacketTooShort,     // the packet ends before what is to be extracted
    NoMatch,            // no case of a select holds
    StackOutOfBounds,   // a header stack has no such element
    HeaderTooShort,     // the size of a varbit is more than it can hold
    ParserTimeout,      // the parser took too long
    ParserInvalidArgument  // a parser operation got a value it cannot take
}

/// The packet as it came in.
extern packet_in {
    /// Reads a header of fixed size.
    void extract<T>(out T headerLvalue);
    /// Reads a header whose one varbit field has the given size.
    void extract<T>(out T variableSizeHeader, in bit<32> variableFieldSizeInBits);
    /// Reads without moving on.
    T lookahead<T>();
    /// Moves on without reading.
    void advance(in bit<32> sizeInBits);
    /// The packet's length in bytes.
    bit<32> length();
}

/// The packet as it goes out.
extern packet_out {
    void emit<T>(in T data);
}

/// In a parser: goes to reject with the given error unless the condition holds.
extern void verify(in bool check, in error toSignal);

/// The compiler refuses the program unless the condition holds.
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
