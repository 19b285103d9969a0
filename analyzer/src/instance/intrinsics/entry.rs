//! The code that rustc generates around `main`.

use crate::{
    harness::{HarnessTarget, Start, Subject},
    instance::{InstanceKey, builder::FnBuilder, cx::Cx},
    std_models::{self, roles},
    types::Unsupported,
};
use hir_ty::next_solver::{GenericArgs, Ty};
use interp::ir::Instr;
use ra_ap_hir_ty as hir_ty;

/// The compiler's `sigpipe::DEFAULT`.
const SIGPIPE_DEFAULT: u128 = 0;

/// Emits the code of the process's entry, `fn() -> isize`: `std::rt::lang_start::<T>(main, 0, null, DEFAULT)` with
/// `main: fn() -> T`. The result is the exit code. The command line is read when the program queries it. Tests of a
/// crate without std start in the same way.
pub fn entry(cx: &mut Cx<'_, '_>, b: &mut FnBuilder, start: Start) -> Result<(), Unsupported> {
    let interner = cx.interner();
    let lang_start =
        std_models::function(cx.db(), cx.program.types.krate, roles::LANG_START).ok_or("`lang_start` is missing")?;
    let (main, output) = match start {
        Start::Function(main) => {
            let sig = cx.db().callable_item_signature(main.into()).instantiate_identity().skip_norm_wip();
            let output = interner.instantiate_bound_regions_with_erased(sig).output();
            let args = cx.program.types.erased_args(main, []);
            (cx.instance(InstanceKey::Fn(main, args.store())), cx.normalize(output))
        }
        Start::Harness(HarnessTarget { subject: Subject::InTest(test, adt), .. }) => {
            let args = GenericArgs::empty(interner);
            (cx.instance(InstanceKey::InTest(test, adt)), cx.program.types.signature(test, args).1)
        }
        Start::Harness(target) => (cx.instance(InstanceKey::Harness(target)), Ty::new_empty_tuple(interner)),
    };
    let args = cx.program.types.erased_args(lang_start, [output.into()]);
    let start = cx.instance(InstanceKey::Fn(lang_start, args.store()));

    let code = b.temp64();
    b.set_ret(code, 8);
    let (main_ptr, argc, argv, sigpipe) = (b.temp64(), b.const64(0), b.const64(0), b.temp(1, 1));
    b.push(Instr::FnAddr { dst: main_ptr, func: main });
    b.constant(sigpipe, 1, SIGPIPE_DEFAULT);
    b.push(Instr::Call { func: start, args: [main_ptr, argc, argv, sigpipe].into(), dst: code });
    b.push(Instr::Return);
    Ok(())
}
