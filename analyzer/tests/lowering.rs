//! What lowering makes of small functions, as text.

use analyzer::{
    ir::print,
    lower::lowered,
    project::{Edition, Project, canonical_path, load_files},
};
use expect_test::{Expect, expect};
use ra_ap_hir_def::DefWithBodyId;

/// Lowers `main` of a program and of nothing else.
fn check(edition: Edition, source: &str, expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("main.rs");
    std::fs::write(&path, source).expect("a file");
    let project = load_files(&[(path.clone(), edition)]).expect("a program");
    let text = project.with_db(|project: &Project| {
        let main = project.program_at(&path).expect("a `main`").function().unwrap();
        let db = project.db();
        let body = lowered(db, DefWithBodyId::FunctionId(main));
        let name = |func| canonical_path(db, func);
        let mut text = print::body(&body.root, &name);
        for (_, closure) in &body.closures {
            text.push_str(&print::body(closure, &name));
        }
        text
    });
    expected.assert_eq(&text);
}

const TRACE: &str = "struct D; impl Drop for D { fn drop(&mut self) {} } fn make() -> D { D } fn take(_: D) {} fn len(_: &D) -> usize { 1 }\n";

fn check_2024(main: &str, expected: Expect) {
    check(Edition::Edition2024, &format!("{TRACE}{main}"), expected);
}

#[test]
fn a_moved_value_is_dropped_on_no_path() {
    check_2024(
        "fn main() { let d = make(); take(d); }",
        expect![[r#"
        Fn (0 params)
          let _1 `d`
          bb0:
            _1 = call main::make()
            goto bb1
          bb1 !bb2:
            _2 = call main::take(_1)
            return
          bb2 cleanup:
            resume
    "#]],
    );
}

#[test]
fn a_conditional_move_asks_a_flag() {
    check_2024(
        "fn main() { let d = make(); if len(&d) == 2 { take(d); } }",
        expect![[r#"
        Fn (0 params)
          let _1 `d`
          bb0:
            _8 = 0
            _1 = call main::make()
            _8 = 1
            _5 = &_1
            _4 = &(*_5)
            goto bb1
          bb1 !bb6:
            _3 = call main::len(_4)
            _6 = _3
            _2 = _6 == 2
            if _2 bb2 else bb9
          bb2 !bb6:
            _8 = 0
            _7 = call main::take(_1)
            goto bb3
          bb3:
            if _8 bb4 else bb5
          bb4:
            drop _1
            goto bb5
          bb5:
            _8 = 0
            return
          bb6 cleanup:
            if _8 bb7 else bb8
          bb7 cleanup:
            drop _1
            goto bb8
          bb8 cleanup:
            _8 = 0
            resume
          bb9:
            goto bb3
    "#]],
    );
}

#[test]
fn a_partial_move_leaves_the_rest() {
    check_2024(
        "fn main() { let p = (make(), make()); take(p.0); }",
        expect![[r#"
        Fn (0 params)
          let _1 `p`
          bb0:
            _6 = 0
            _2 = call main::make()
            goto bb1
          bb1 !bb9:
            _3 = call main::make()
            _1 = {_2, _3}
            _6 = 1
            _6 = 0
            _5 = _1.0
            goto bb2
          bb2 !bb4:
            _4 = call main::take(_5)
            goto bb3
          bb3:
            drop _1.1
            return
          bb4 cleanup:
            goto bb5
          bb5 cleanup:
            if _6 bb6 else bb7
          bb6 cleanup:
            drop _1.0
            goto bb7
          bb7 cleanup:
            drop _1.1
            _6 = 0
            goto bb8
          bb8 cleanup:
            resume
          bb9 cleanup:
            drop _2
            goto bb8
    "#]],
    );
}

#[test]
fn if_let_drops_its_scrutinee_before_else_since_2024() {
    check_2024(
        "fn main() { if let Some(2) = Some(len(&make())) { } else { make(); } }",
        expect![[r#"
        Fn (0 params)
          bb0:
            _5 = call main::make()
            _4 = &_5
            _3 = &(*_4)
            goto bb1
          bb1 !bb6:
            _2 = call main::len(_3)
            _1 = variant {_2}
            variant of _1 [#1: bb2, else bb5]
          bb2:
            switch (_1 as #1).0 [2: bb3, else bb5]
          bb3:
            drop _5
            goto bb4
          bb4:
            return
          bb5:
            drop _5
            _6 = call main::make()
            drop _6
            goto bb4
          bb6 cleanup:
            drop _5
            resume
    "#]],
    );
}

#[test]
fn if_let_kept_its_scrutinee_before_2024() {
    let source = format!("{TRACE}fn main() {{ if let Some(2) = Some(len(&make())) {{ }} else {{ make(); }} }}");
    check(
        Edition::Edition2021,
        &source,
        expect![[r#"
        Fn (0 params)
          bb0:
            _5 = call main::make()
            _4 = &_5
            _3 = &(*_4)
            goto bb1
          bb1 !bb6:
            _2 = call main::len(_3)
            _1 = variant {_2}
            variant of _1 [#1: bb2, else bb5]
          bb2:
            switch (_1 as #1).0 [2: bb3, else bb5]
          bb3:
            goto bb4
          bb4:
            drop _5
            return
          bb5 !bb6:
            _6 = call main::make()
            drop _6
            goto bb4
          bb6 cleanup:
            drop _5
            resume
    "#]],
    );
}

#[test]
fn a_loop_ends_its_variables_in_each_turn() {
    check_2024(
        "fn main() { loop { let d = make(); if len(&d) == 0 { break; } } }",
        expect![[r#"
        Fn (0 params)
          let _2 `d`
          bb0:
            goto bb1
          bb1:
            _2 = call main::make()
            _6 = &_2
            _5 = &(*_6)
            goto bb2
          bb2 !bb5:
            _4 = call main::len(_5)
            _7 = _4
            _3 = _7 == 0
            if _3 bb3 else bb4
          bb3:
            drop _2
            return
          bb4:
            drop _2
            goto bb1
          bb5 cleanup:
            drop _2
            resume
    "#]],
    );
}

#[test]
fn a_closure_reaches_its_captures_through_itself() {
    check_2024(
        "fn main() { let d = make(); let n = 1; let f = move || len(&d) + n; f(); }",
        expect![[r#"
        Fn (0 params)
          let _1 `d`
          let _2 `n`
          let _3 `f`
          bb0:
            _1 = call main::make()
            _2 = 1
            _3 = captures {_1, _2}
            _5 = &_3
            _6 = {}
            goto bb1
          bb1 !bb4:
            _4 = call core::ops::function::Fn::call(_5, _6)
            goto bb2
          bb2 !bb3:
            drop _3
            return
          bb3 cleanup:
            resume
          bb4 cleanup:
            drop _3
            goto bb3
        ClosureByRef (1 params)
          let _5 `d`
          let _6 `n`
          bb0:
            _4 = &(*_1).0
            _3 = &(*_4)
            _2 = call main::len(_3)
            _0 = checked _2 + (*_1).1
            return
    "#]],
    );
}

#[test]
fn an_async_block_suspends_and_can_be_dropped_there() {
    check_2024(
        "fn main() { let _f = async { let d = make(); std::future::pending::<()>().await; take(d); }; }",
        expect![[r#"
            Fn (0 params)
              let _1 `_f`
              bb0:
                _1 = captures {}
                drop _1
                return
            Coroutine (2 params)
              let _3 `d`
              bb0:
                _11 = 0
                _3 = call main::make()
                _11 = 1
                goto bb1
              bb1 !bb4:
                _5 = call core::future::pending::pending()
                _6 = call core::future::into_future::IntoFuture::into_future(_5)
                goto bb2
              bb2 !bb4:
                _7 = &_6
                _8 = variant {_7}
                await
                _9 = call core::future::future::Future::poll(_8, _2)
                variant of _9 [#0: bb3, else bb7]
              bb3 !bb4:
                _4 = (_9 as #0).0
                _11 = 0
                _10 = call main::take(_3)
                return
              bb4 cleanup:
                if _11 bb5 else bb6
              bb5 cleanup:
                drop _3
                goto bb6
              bb6 cleanup:
                _11 = 0
                resume
              bb7:
                suspend _2 resume bb2 drop bb8
              bb8:
                drop _3
                _11 = 0
                return
        "#]],
    );
}

#[test]
fn half_a_program_has_gaps() {
    check_2024(
        "fn main() { let d = make(); d.nothing(; unknown(1) + }",
        expect![[r#"
            Fn (0 params)
              let _1 `d`
              bb0:
                _1 = call main::make()
                _2 = unknown (gap 0)
                _4 = 1
                _3 = unknown (gap 1)
                _5 = unknown (gap 2)
                goto bb1
              bb1 !bb3:
                _0 = call core::ops::arith::Add::add(_3, _5)
                goto bb2
              bb2:
                drop _1
                return
              bb3 cleanup:
                drop _1
                resume
              gap: unresolved method `nothing`
              gap: call of `unknown`, which is not known
              gap: incomplete expression
        "#]],
    );
}
