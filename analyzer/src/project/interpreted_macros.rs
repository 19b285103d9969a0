//! Interpreted macros: procedural macros of libraries that are not built, and that are no [`builtin_macros`]
//! (decision 39). A macro is a program like any other to the interpreter; nothing of it runs.
//!
//! The libraries form a project of their own, which a thread loads when the first macro is used. rust-analyzer allows
//! only one database in a thread. If a library uses macros of another library, further threads interpret those, with
//! snapshots of the same project: crates form no cycles, so none of these threads needs what the one that waits for it
//! computes.
//!
//! [`builtin_macros`]: super::builtin_macros

mod crates;
mod environment;
mod expansions;
mod wire;

use super::builtin_macros;
use crate::{overdue, workarounds::source_depth};
use ra_ap_base_db::{Env, SourceDatabase};
use ra_ap_hir_expand::proc_macro::{ProcMacro, ProcMacroExpander, ProcMacroExpansionError, ProcMacroKind};
use ra_ap_intern::Symbol;
use ra_ap_project_model::Package;
use ra_ap_span::{Edition, Span};
use ra_ap_tt::TopSubtree;
use std::{
    any::Any,
    cell::Cell,
    collections::BTreeSet,
    fmt,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

pub(super) use crates::MacroCrates;

/// How long a macro waits for the expansion of another one. Neither steps nor the resolution of names take as long.
const LONGEST_NESTED_WAIT: Duration = Duration::from_secs(120);

/// How often a thread that waits for an expansion looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);

/// A macro that a library defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Macro {
    /// The name by which it is used.
    pub(super) name: String,
    /// The function that expands it.
    pub(super) function: String,
    pub(super) kind: ProcMacroKind,
}

/// A call of a macro.
struct Request {
    /// Index of its library.
    library: usize,
    name: String,
    /// The tokens in the form of [`wire`]: those of the item or call, and those of an attribute's arguments.
    tokens: [String; 2],
    /// The variables of the calling crate.
    variables: Vec<(String, String)>,
    /// The folder in which the macro runs.
    folder: String,
    answer: Sender<Result<String, String>>,
}

impl Request {
    fn answer(&self, result: Result<String, String>) {
        // The one who asked may have given up.
        let _ = self.answer.send(result);
    }
}

/// Interprets the macros of some libraries.
pub(super) struct MacroServer {
    state: Mutex<State>,
    /// Paths that macros asked for.
    looked_at: Arc<Mutex<BTreeSet<PathBuf>>>,
}

enum State {
    /// No macro was used yet.
    New(Box<MacroCrates>),
    /// A thread for each depth.
    Started(Vec<Sender<Request>>),
}

/// How deep macros may be used by libraries of macros.
const MAX_DEPTH: usize = 4;

thread_local! {
    /// The depth of the macros whose code this thread interprets, plus one; 0 in other threads.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// How an expander reaches its server.
#[derive(Clone)]
pub(super) enum ServerHandle {
    Owned(Arc<MacroServer>),
    /// The macros are used by libraries of the server, which must end when nobody else needs it.
    Nested(Weak<MacroServer>),
}

impl ServerHandle {
    fn server(&self) -> Option<Arc<MacroServer>> {
        match self {
            ServerHandle::Owned(server) => Some(server.clone()),
            ServerHandle::Nested(server) => server.upgrade(),
        }
    }

    fn is_same(&self, other: &ServerHandle) -> bool {
        let address = |it: &ServerHandle| match it {
            ServerHandle::Owned(server) => Arc::as_ptr(server),
            ServerHandle::Nested(server) => server.as_ptr(),
        };
        address(self) == address(other)
    }

    /// The expanders of a library's macros. The same library of the same package has equal ones, if its files never
    /// change.
    pub(super) fn macros(
        &self,
        library: usize,
        package: &str,
        published: Option<String>,
        names: impl IntoIterator<Item = Macro>,
    ) -> Vec<ProcMacro> {
        let package = package.replace('-', "_");
        let expander = |Macro { name, kind, .. }: Macro| ProcMacro {
            name: Symbol::intern(&name),
            kind,
            expander: Arc::new(Interpreted {
                server: self.clone(),
                library,
                package: package.clone(),
                published: published.clone(),
                name,
                kind,
            }),
            disabled: false,
        };
        names.into_iter().map(expander).collect()
    }
}

impl MacroServer {
    pub(super) fn new(crates: MacroCrates) -> Arc<MacroServer> {
        Arc::new(MacroServer { state: Mutex::new(State::New(Box::new(crates))), looked_at: Arc::default() })
    }

    /// Paths that macros asked for, whether they exist or not.
    pub(super) fn looked_at(&self) -> BTreeSet<PathBuf> {
        locked(&self.looked_at).clone()
    }

    /// Adds a library; the result is its index. `None` if the server has started.
    pub(super) fn add(&self, package: Package, macros: Vec<Macro>) -> Option<usize> {
        match &mut *locked(&self.state) {
            State::New(crates) => Some(crates.add(package, macros)),
            State::Started(_) => None,
        }
    }

    /// Sends a request to the thread for macros of this depth. The threads are started if this is the first request.
    fn send(self: &Arc<Self>, request: Request) -> Result<(), String> {
        let mut state = locked(&self.state);
        if let State::New(_) = &*state {
            let (senders, receivers) = (0..MAX_DEPTH).map(|_| mpsc::channel()).unzip();
            if let State::New(crates) = std::mem::replace(&mut *state, State::Started(senders)) {
                let (nested, looked_at) = (Arc::downgrade(self), self.looked_at.clone());
                expansions::start(*crates, receivers, nested, looked_at).map_err(|error| error.to_string())?;
            }
        }
        match &*state {
            State::Started(senders) => {
                let thread = senders.get(DEPTH.get()).ok_or("it is used by too many macros of other macros")?;
                thread.send(request).map_err(|_| ENDED.to_owned())
            }
            State::New(_) => Err(ENDED.to_owned()),
        }
    }
}

/// The thread is gone, which is an error of ours.
const ENDED: &str = "the interpreter of macros has ended";

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A macro of a library.
struct Interpreted {
    server: ServerHandle,
    library: usize,
    package: String,
    /// The id of its package, if the files of that never change.
    published: Option<String>,
    name: String,
    kind: ProcMacroKind,
}

impl fmt::Debug for Interpreted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.package, self.name)
    }
}

impl Interpreted {
    fn expanded(
        &self,
        db: &dyn SourceDatabase,
        tokens: &wire::Input,
        variables: &Env,
        folder: String,
    ) -> Result<TopSubtree, String> {
        if tokens.texts.iter().any(|it| it.contains('\0')) {
            return Err("its input contains a NUL".to_owned());
        }
        let (answer, answers) = mpsc::channel();
        let server = self.server.server().ok_or(ENDED)?;
        server.send(Request {
            library: self.library,
            name: self.name.clone(),
            tokens: tokens.texts.clone(),
            variables: variables.clone().into(),
            folder,
            answer,
        })?;
        let started = Instant::now();
        let output = loop {
            if DEPTH.get() > 0 && started.elapsed() > LONGEST_NESTED_WAIT {
                return Err("a macro that it uses takes too long".to_owned());
            }
            match answers.recv_timeout(PATIENCE) {
                Ok(output) => break output?,
                Err(RecvTimeoutError::Timeout) => {
                    // The item waits, it is not stuck.
                    overdue::note_query();
                    db.unwind_if_revision_cancelled();
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ENDED.to_owned()),
            }
        };
        let (tree, text) = tokens.tree(&output).ok_or_else(|| "its output is malformed".to_owned())?;
        match source_depth::too_deep(&text, Edition::CURRENT) {
            None => Ok(tree),
            Some(_) => Err(format!("its output is {}", source_depth::TOO_DEEP)),
        }
    }
}

impl ProcMacroExpander for Interpreted {
    fn expand(
        &self,
        db: &dyn SourceDatabase,
        subtree: &TopSubtree,
        attrs: Option<&TopSubtree>,
        env: &Env,
        def_site: Span,
        call_site: Span,
        mixed_site: Span,
        current_dir: String,
    ) -> Result<TopSubtree, ProcMacroExpansionError> {
        let tokens = wire::Input::new([call_site, mixed_site, def_site], subtree, attrs);
        match self.expanded(db, &tokens, env, current_dir) {
            // Without an expansion, a statement would silently vanish.
            Err(_) if self.kind == ProcMacroKind::Bang => {
                Ok(builtin_macros::not_expanded(&self.package, &self.name, subtree, call_site))
            }
            // On this error an attribute leaves its item unchanged.
            result => result.map_err(ProcMacroExpansionError::System),
        }
    }

    fn eq_dyn(&self, other: &dyn ProcMacroExpander) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<Interpreted>() else { return false };
        let is_same = match &self.published {
            Some(_) => self.published == other.published,
            None => self.server.is_same(&other.server) && self.library == other.library,
        };
        is_same && self.name == other.name
    }
}
