//! The syntax of instructions: one table for printing, parsing and the tests' generator.
//!
//! A row has the variant with its fields, the mnemonic, and in brackets its operands: quoted text, or a field in braces
//! with the module of [`codec`] for its kind. A missing variant or field does not compile.

use crate::ir::Instr;
use crate::text::ParseError;
use crate::text::codec;
use crate::text::parse::Parser;
use crate::text::print::Printer;

macro_rules! print_piece {
    ($p:ident { $field:ident $codec:ident }) => {
        codec::$codec::print($p, $field)
    };
    ($p:ident $text:literal) => {
        $p.put(format_args!($text))
    };
}

macro_rules! parse_piece {
    ($p:ident { $field:ident $codec:ident }) => {
        let $field = codec::$codec::parse($p)?;
    };
    ($p:ident $text:literal) => {
        $p.expect($text.trim())?;
    };
}

#[cfg(test)]
macro_rules! make_up_piece {
    ($p:ident { $field:ident $codec:ident }) => {
        let $field = codec::$codec::make_up($p);
    };
    ($p:ident $text:literal) => {};
}

macro_rules! syntax {
    ($($variant:ident { $($field:ident),* } = $mnemonic:literal [$($piece:tt)*];)*) => {
        /// Prints an instruction without its site.
        pub(super) fn print(p: &mut Printer, instr: &Instr) {
            match instr {
                $(Instr::$variant { $($field),* } => {
                    p.put(format_args!($mnemonic));
                    $(print_piece!(p $piece);)*
                })*
            }
        }

        /// Parses the operands of a mnemonic; `None` if it is unknown.
        pub(super) fn parse(p: &mut Parser<'_>, mnemonic: &str) -> Result<Option<Instr>, ParseError> {
            Ok(Some(match mnemonic {
                $($mnemonic => {
                    $(parse_piece!(p $piece);)*
                    Instr::$variant { $($field),* }
                })*
                _ => return Ok(None),
            }))
        }

        /// An instruction of each kind with random operands.
        #[cfg(test)]
        pub(super) fn make_up(rng: &mut crate::rng::Rng) -> Vec<Instr> {
            vec![$({
                $(make_up_piece!(rng $piece);)*
                Instr::$variant { $($field),* }
            },)*]
        }
    };
}

syntax! {
    Const { dst, size, bits, high } = "const" [" " {dst slot} ":" {size num} " = " {bits num} {high high}];
    Copy { dst, src, size } = "copy" [" " {dst slot} ":" {size num} " = " {src slot}];
    Zero { dst, size } = "zero" [" " {dst slot} ":" {size num}];
    LocalRead { dst, src, size } = "local_read" [" " {dst slot} ":" {size num} " = " {src slot}];
    LocalWrite { dst, src, size } = "local_write" [" " {dst slot} ":" {size num} " = " {src slot}];
    AddrOf { dst, slot } = "addr_of" [" " {dst slot} " = " {slot slot}];
    StorageDead { slot, size } = "storage_dead" [" " {slot slot} ":" {size num}];
    Omitted { cause } = "omitted" [" = " {cause cause}];
    Unknown { dst, size, cause } = "unknown" [" " {dst slot} ":" {size num} " = " {cause cause}];

    Bin { op, ty, dst, a, b } = "bin"
        [" " {op name} " " {ty name} " " {dst slot} " = " {a slot} ", " {b slot}];
    BinImm { op, ty, dst, a, imm } = "bin_imm"
        [" " {op name} " " {ty name} " " {dst slot} " = " {a slot} ", " {imm signed}];
    Checked { op, ty, rhs, dst, a, b } = "checked"
        [" " {op name} " " {ty name} " " {dst slot} " = " {a slot} ", " {b slot} " " {rhs name}];
    CheckedImm { op, ty, dst, a, imm } = "checked_imm"
        [" " {op name} " " {ty name} " " {dst slot} " = " {a slot} ", " {imm signed}];
    Overflowing { op, ty, dst, flag, a, b } = "overflowing"
        [" " {op name} " " {ty name} " " {dst slot} ", " {flag slot} " = " {a slot} ", " {b slot}];
    Un { op, ty, dst, a } = "un" [" " {op name} " " {ty name} " " {dst slot} " = " {a slot}];
    CheckedNeg { ty, dst, a } = "checked_neg" [" " {ty name} " " {dst slot} " = " {a slot}];
    Cast { from, to, dst, a } = "cast" [" " {from name} " -> " {to name} " " {dst slot} " = " {a slot}];
    Math { op, ty, dst, args } = "math" [" " {op name} " " {ty name} " " {dst slot} " = " {args slots}];

    Load { dst, ptr, offset, size, volatile } = "load"
        [" " {dst slot} ":" {size num} " = " "*" {ptr slot} " + " {offset num} {volatile volatile}];
    Store { ptr, offset, src, size, volatile } = "store"
        [" *" {ptr slot} " + " {offset num} " = " {src slot} ":" {size num} {volatile volatile}];
    CopyMem { dst, dst_offset, src, src_offset, size } = "copy_mem"
        [" *" {dst slot} " + " {dst_offset num} " = " "*" {src slot} " + " {src_offset num} ", " {size num}];
    PtrAdd { dst, ptr, offset } = "ptr_add" [" " {dst slot} " = " {ptr slot} " + " {offset signed}];
    PtrIndex { dst, ptr, index, stride } = "ptr_index"
        [" " {dst slot} " = " {ptr slot} " + " {index slot} " * " {stride num}];
    Bounds { index, len } = "bounds" [" " {index slot} " < " {len slot}];
    MoveBytes { dst, src, count, stride, overlapping } = "move_bytes"
        [" *" {dst slot} " = " "*" {src slot} ", " {count slot} " * " {stride num} {overlapping overlapping}];
    SetBytes { dst, value, count, stride } = "set_bytes"
        [" *" {dst slot} " = " {value slot} ", " {count slot} " * " {stride num}];
    CompareBytes { dst, a, b, len } = "compare_bytes"
        [" " {dst slot} " = " "*" {a slot} ", " "*" {b slot} ", " {len slot}];
    GlobalAddr { dst, global } = "global_addr" [" " {dst slot} " = " {global global}];
    DataAddr { dst, data } = "data_addr" [" " {dst slot} " = " {data data}];
    FnAddr { dst, func } = "fn_addr" [" " {dst slot} " = " {func func}];
    VtableAddr { dst, vtable } = "vtable_addr" [" " {dst slot} " = " {vtable vtable}];

    AtomicLoad { dst, ptr, size, order } = "atomic_load"
        [" " {order name} " " {dst slot} ":" {size num} " = " "*" {ptr slot}];
    AtomicStore { ptr, src, size, order } = "atomic_store"
        [" " {order name} " *" {ptr slot} " = " {src slot} ":" {size num}];
    AtomicRmw { op, dst, ptr, src, size, order } = "atomic_rmw"
        [" " {op name} " " {order name} " " {dst slot} ":" {size num} " = " "*" {ptr slot} ", " {src slot}];
    AtomicCas { dst, ok, ptr, old, new, size, success, failure, weak } = "atomic_cas"
        [" " {success name} " " {failure name} " " {dst slot} ":" {size num} ", " {ok slot} " = " "*"
        {ptr slot} ", " {old slot} " -> " {new slot} {weak weak}];
    Fence { order } = "fence" [" " {order name}];
    Await {} = "await" [];

    Jump { to } = "jump" [" " {to pc}];
    Branch { cond, yes, no } = "branch" [" " {cond slot} ", " {yes pc} ", " {no pc}];
    Switch { src, size, table, default } = "switch"
        [" " {src slot} ":" {size num} " " {table table} " else " {default pc}];
    Call { func, args, dst } = "call" [" " {dst slot} " = " {func func} {args slots}];
    CallPtr { ptr, args, dst } = "call_ptr" [" " {dst slot} " = " "*" {ptr slot} {args slots}];
    CallVirtual { vtable, index, args, dst } = "call_virtual"
        [" " {dst slot} " = " "*" {vtable slot} "[" {index num} "]" {args slots}];
    Return {} = "return" [];
    Enter { scope } = "enter" [" " {scope num}];
    Leave { scope } = "leave" [" " {scope num}];
    Unwind {} = "unwind" [];
    Panic { trap, args } = "panic" [" " {trap name} {args slots}];
    Unreachable {} = "unreachable" [];
    Abort {} = "abort" [];
    CatchUnwind { func, data, handler, dst } = "catch_unwind"
        [" " {dst slot} " = " "*" {func slot} ", " {data slot} ", " "*" {handler slot}];
    CallerLocation { dst } = "caller_location" [" " {dst slot}];
    Here { dst } = "here" [" " {dst slot}];

    Resume { obj, handle_offset, body, arg, out, done } = "resume"
        [" " {out slot} ", " {done slot} " = " "*" {obj slot} " + " {handle_offset num} ", "
        {body func} ", " {arg slot}];
    Suspend { arg, resume, drop } = "suspend" [" " {arg slot} ", " {resume pc} ", " {drop pc}];
    DropCoroutine { obj, handle_offset, captures } = "drop_coroutine"
        [" *" {obj slot} " + " {handle_offset num} {captures captures}];
}
