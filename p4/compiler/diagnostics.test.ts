import { describe, expect, test } from 'vitest';
import { compile, fileIncludes } from './compile.ts';
import { SourceFile } from './source.ts';

const HEAD = `#include <v1model.p4>
header h_t { bit<8> a; }
struct H { h_t h; }
struct M { bit<8> x; }
`;
const program = (locals: string, apply: string): string => `${HEAD}
parser P(packet_in p, out H hdr, inout M m, inout standard_metadata_t sm) { state start { p.extract(hdr.h); transition accept; } }
control V(inout H hdr, inout M m) { apply {} }
control I(inout H hdr, inout M m, inout standard_metadata_t sm) {
${locals}
  apply {
${apply}
  }
}
control E(inout H hdr, inout M m, inout standard_metadata_t sm) { apply {} }
control D(packet_out p, in H hdr) { apply { p.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), V(), D()) main;
`;

function render(text: string): string {
  return compile(new SourceFile('t.p4', text)).diagnostics.render();
}

const messages = (text: string): string[] =>
  compile(new SourceFile('t.p4', text)).diagnostics.list.map(({ message }) => message);

describe('diagnostics', () => {
  test('reports several errors with file, line, column and caret', () => {
    expect(render('const bit<8> A = 16w1;\nconst bit<8> B = C;\n')).toBe(
      [
        't.p4:1:18: error: expected bit<8> but found bit<16>',
        'const bit<8> A = 16w1;',
        '                 ^^^^',
        "t.p4:2:18: error: 'C' is not declared",
        'const bit<8> B = C;',
        '                 ^',
      ].join('\n'),
    );
  });

  test.each([
    ['sm.egress_spek = 1;', "standard_metadata_t has no field 'egress_spek'; did you mean 'egress_spec'?"],
    ['hdr.h.b = 1;', "h_t has no field 'b'"],
    ['hdr.h.a = hdr.h.a + 16w1;', "'+' requires two values of the same type, not bit<8> and bit<16>"],
    ['hdr.h.a = hdr.h.a[8:1] ;', 'the slice [8:1] is outside bit<8>'],
    ['hdr.h.a = 8w1 / 0;', 'division by zero'],
    ['if (hdr.h.a) {}', 'expected bool but found bit<8>'],
    ['return 1;', 'nothing can be returned here'],
    ['break;', "'break' is outside a loop (P4_16 §12.8)"],
    ['m.x = (bit<8>) true;', 'cannot cast bool to bit<8> (P4_16 §8.12)'],
    ['hdr.h.isValid() = true;', 'this cannot be written to (P4_16 §6.7)'],
    ['m.x = { 1, 2 };', 'expected bit<8> but found tuple<int, int>'],
    ['sm.next();', "standard_metadata_t has no method 'next'"],
    ['bit<8> y; bit<8> y;', "'y' is declared twice in the same scope"],
    ['switch (m.x) { 1: {} 1: {} }', 'this label is duplicated'],
    ['t.apply();', "'t' is not declared"],
    ['hash(m.x, HashAlgorithm.crc16, 8w0, { m.x }, {#});', "the type of 'max' cannot be inferred"],
    ['hash(m.x, HashAlgorithm.crc16, 8w0, {#}, 8w1);', "the type of 'data' cannot be inferred"],
    ['hash(m.x, HashAlgorithm.crc16, 8w0, { m.x, {#} }, 8w1);', "the type of 'data' cannot be inferred"],
    ['verify(true, error.NoMatch);', "'verify' is only allowed in parsers (P4_16 §13.7)"],
  ])('%s', (apply, message) => {
    expect(messages(program('', apply))[0]).toBe(message);
  });

  test.each([
    ['recursion', 'void f() { f(); }', "'f' calls itself: P4 has no recursion (P4_16 §10)"],
    [
      'no return',
      'bit<8> f(in bool b) { if (b) { return 1; } }',
      "'f' can end without returning a value (P4_16 §10)",
    ],
    ['an unclosed comment', 'const bit<8> A = 1; /* what', 'this comment is never closed'],
    ['an unclosed #if', '#if 1\n', 'this #if has no #endif'],
    ['a file that is not there', '#include "none.p4"\n', "cannot find the file 'none.p4' to include"],
    ['no package', '', "there is no package instance 'main' (P4_16 §6.6)"],
    [
      'macros without end',
      '#define A B B B B B B\n#define B C C C C C C C\n#define C D D D D D D\n#define D E E E E E E\n#define E F F F F F F\n#define F G G G G G G\n#define G H H H H H H\n#define H I I I I I I\n#define I 1 1 1 1 1 1 1 1\nconst bit<8> X = A;',
      "the macro 'I' grows endlessly",
    ],
  ])('%s', (_, text, message) => {
    expect(messages(text)).toContain(message);
  });
});

describe('unsupported features are rejected by name, with their clause', () => {
  test.each([
    [
      'extern Foo { Foo(); void go(); }\n',
      'Foo() f;',
      'f.go();',
      "not supported: the extern method 'Foo.go' (P4_16 §7.2.10: an extern is what the architecture provides)",
    ],
    [
      'extern void foo();\n',
      '',
      'foo();',
      "not supported: the extern function 'foo' (P4_16 §7.2.10: an extern is what the architecture provides)",
    ],
    ['', '', 'list<bit<8>> l = { 1 };', 'not supported: the type list<> (P4_16 §7.2.7)'],
    [
      'bit<32> f() { return 1; }\n',
      'register<bit<8>>(2) r;',
      'r.write(value = 1, index = f());',
      "not supported: calls in named arguments of 'write' out of order (P4_16 §6.8)",
    ],
    [
      '',
      '',
      'bit<8>[2] r; r[0] = 1;',
      'not supported: an array of bit<8>; a stack holds headers (P4_16 §7.2.3)',
    ],
    // Uses of an unsupported declaration cause no further errors.
    [
      'const list<bit<8>> l = { 1 };',
      '',
      'for (bit<8> x in l) m.x = x;',
      'not supported: the type list<> (P4_16 §7.2.7)',
    ],
    [
      'struct S { bit<8> y; }\n',
      'action a(S s) {} table t { actions = { a; } default_action = a({ 1 }); }',
      't.apply();',
      "not supported: action data 's' of type S (P4_16 §14.1)",
    ],
    ['#include <psa.p4>\n', '', '', 'not supported: the library <psa.p4> (P4_16 §4; only v1model is)'],
    [
      '',
      '',
      'clone3(CloneType.I2E, 1, { m.x });',
      'not supported: clone3 with a list of fields; use clone_preserving_field_list (v1model, field lists)',
    ],
    [
      '',
      '',
      'bit<8> r; hash(r, HashAlgorithm.crc32_custom, 8w0, { m.x }, 8w1);',
      'not supported: HashAlgorithm.crc32_custom (v1model, HashAlgorithm)',
    ],
    [
      'match_kind { special }\n',
      'table t { key = { m.x : special; } actions = { NoAction; } }',
      '',
      "not supported: the match kind 'special' (P4_16 §7.1.3)",
    ],
    [
      '',
      'table t { actions = { NoAction; } idle_time = 5; }',
      '',
      "not supported: the table property 'idle_time' (P4_16 §14.2.1.6)",
    ],
  ])('%s%s%s', (top, locals, apply, message) => {
    const { diagnostics } = compile(new SourceFile('t.p4', program(locals, apply).replace(HEAD, HEAD + top)));
    const unsupported = diagnostics.list.filter(({ kind }) => kind === 'unsupported');
    expect(unsupported.map((each) => each.message)).toContain(message);
    expect(diagnostics.errors).toEqual([]);
  });

  test('metadata that is not a struct', () => {
    const { diagnostics } = compile(
      new SourceFile('t.p4', program('', '').replace('struct M { bit<8> x; }', 'typedef bit<8> M;')),
    );
    expect(diagnostics.list.map(({ message }) => message)).toEqual([
      "not supported: the user's metadata of type bit<8>, which is not a struct (v1model, V1Switch)",
    ]);
  });

  test('architectures other than v1model', () => {
    expect(
      messages(
        '#include <core.p4>\ncontrol C() { apply {} }\ncontrol T();\npackage Top(T t);\nTop(C()) main;\n',
      ),
    ).toEqual(["not supported: the architecture of package 'Top'; only V1Switch of v1model is (P4_16 §4)"]);
  });
});

test('resolves includes next to the file, then in the library', () => {
  expect(fileIncludes('core.p4', true, 'x/y.p4')?.text).toContain('packet_in');
  expect(fileIncludes('no-such.p4', false, 'x/y.p4')).toBeUndefined();
});
