//! Sizes and alignments as the compiler has them.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, MutexGuard, Once, OnceLock, RwLock, mpsc};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant, SystemTime};

use hir_def::DefWithBodyId;
use hir_ty::db::HirDatabase;
use hir_ty::next_solver::{DbInterner, ParamEnv};
use hir_ty::{InferenceResult, ParamEnvAndCrate};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_def::expr_store::Body;
use ra_ap_hir_ty as hir_ty;

use super::support::single;

const IMPORTS: &str = "use std::any::Any; use std::cell::*; use std::collections::*; use std::num::NonZero;\
    use std::rc::Rc; use std::sync::atomic::*; use std::sync::*; use std::thread::*; use std::time::*;\n";

macro_rules! types {
    ($($type:ty,)*) => {
        [$((stringify!($type), size_of::<$type>() as u64, align_of::<$type>() as u64),)*]
    };
}

#[test]
fn as_compiled() {
    let types = types![
        Option<NonZero<i32>>, Option<NonZero<u8>>, Option<NonZero<i128>>, Option<char>, Option<bool>, Option<Box<u8>>,
        Option<Option<bool>>, core::result::Result<u32, ()>, core::result::Result<String, u8>, Option<Vec<u8>>, Option<Duration>, Option<Instant>,
        String, Vec<u16>, Box<dyn Any>, &'static str, Option<&'static [u8]>, Rc<str>, Arc<[u64]>, std::rc::Weak<u8>,
        Cell<u8>, RefCell<String>, OnceCell<u16>, AtomicBool, AtomicU64, Mutex<u8>, Mutex<String>, RwLock<Vec<u8>>,
        Option<MutexGuard<'static, u8>>, std::sync::PoisonError<MutexGuard<'static, u8>>, Condvar, Once, OnceLock<u64>,
        LazyLock<String>, Barrier, mpsc::Sender<u8>, Option<mpsc::Receiver<String>>, mpsc::SyncSender<()>,
        JoinHandle<u32>, Option<Thread>, SystemTime, HashMap<String, u32>, HashSet<u8>, Option<HashMap<u8, u8>>,
        BTreeMap<u8, String>, BinaryHeap<u64>, LinkedList<u8>, VecDeque<u32>, std::io::Error, std::io::Result<usize>,
        Option<std::backtrace::Backtrace>, std::process::ExitStatus, std::fs::File, Option<std::net::TcpStream>,
        std::net::SocketAddr, std::path::PathBuf, std::ffi::CString, std::fmt::Arguments<'static>, std::any::TypeId,
        std::vec::IntoIter<u8>, std::slice::Iter<'static, u8>, std::ops::RangeInclusive<u8>, std::vec::Drain<'static, u8>,
        std::str::Split<'static, char>, std::iter::Flatten<std::vec::IntoIter<Vec<u8>>>, std::future::Ready<u8>,
        std::iter::Peekable<std::str::Chars<'static>>, std::task::Poll<Option<u8>>, std::sync::mpsc::RecvTimeoutError,
        std::collections::hash_map::Entry<'static, u8, u8>, std::collections::btree_map::Iter<'static, u8, u8>,
    ];
    let bindings: String = types.iter().enumerate().map(|(at, (ty, ..))| format!("let p{at:02}: {ty};\n")).collect();
    let project = single(&format!("{IMPORTS} fn main() {{ {bindings} }}"));
    let differences = project.with_db(|project| {
        let db = project.db();
        let binary = &project.binaries()[0];
        let interner = DbInterner::new_with(db, binary.krate.into());
        let env = ParamEnvAndCrate { param_env: ParamEnv::empty(interner), krate: binary.krate.into() };
        let id = DefWithBodyId::FunctionId(binary.function().unwrap());
        let mut differences = Vec::new();
        for (binding, data) in Body::of(db, id).bindings() {
            let at: usize = data.name.as_str()[1..].parse().expect("bindings are numbered");
            let (name, size, align) = types[at];
            match db.layout_of_ty(InferenceResult::of(db, id).binding_ty(binding).store(), env.store()) {
                Ok(layout) if (layout.size.bytes(), layout.align.abi.bytes()) == (size, align) => {}
                Ok(layout) => differences.push(format!("{name}: {} instead of {size}", layout.size.bytes())),
                Err(error) => differences.push(format!("{name}: {error}")),
            }
        }
        differences
    });
    expect_test::expect![""].assert_eq(&differences.join("\n"));
}
