//! The environment of an interpreted macro: its input, the variables of the calling crate, the files around it.

use super::Request;
use crate::project::{build_scripts::TOOLS, known_paths::KnownFolder};
use interp::environment::{Disk, Environment, KnownPath, ProgramOutput, StartedProgram};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    str,
};

/// Maximum number of bytes that a macro writes to each output.
const MAX_OUTPUT: usize = 16 << 20;

/// The environment of one expansion.
pub(super) struct MacroEnvironment<'a> {
    request: &'a Request,
    /// The folders whose files it may read: that of the package, and the one in which macros run.
    folders: Vec<(PathBuf, KnownFolder)>,
    /// Paths that it asked for.
    pub(super) looked_at: BTreeSet<PathBuf>,
    /// The bytes that it printed to standard output and to standard error.
    pub(super) printed: [Vec<u8>; 2],
    /// Whether something that it left is not known.
    pub(super) is_unknown: bool,
}

impl<'a> MacroEnvironment<'a> {
    pub(super) fn new(request: &'a Request) -> MacroEnvironment<'a> {
        let package = request.variables.iter().find(|it| it.0 == "CARGO_MANIFEST_DIR").map(|it| it.1.as_str());
        let paths = [Some(request.folder.as_str()), package].into_iter().flatten().map(PathBuf::from);
        let folders = paths.filter_map(|path| {
            let known = KnownFolder::new(&path, Some(&path.join("target")))?;
            Some((path, known))
        });
        MacroEnvironment {
            request,
            folders: folders.collect(),
            looked_at: BTreeSet::new(),
            printed: [Vec::new(), Vec::new()],
            is_unknown: false,
        }
    }

    fn folder_of(&mut self, path: &Path) -> Option<&KnownFolder> {
        let (_, folder) = self.folders.iter().find(|(folder, _)| path.starts_with(folder))?;
        self.looked_at.insert(path.to_owned());
        Some(folder)
    }
}

impl Environment for MacroEnvironment<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) {
        let Some(printed) = self.printed.get_mut(if fd == 1 { 0 } else { 1 }) else { return };
        printed.extend_from_slice(bytes);
        self.is_unknown |= printed.len() > MAX_OUTPUT;
        printed.truncate(MAX_OUTPUT);
    }

    fn read(&mut self, _len: usize) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        let [item, args] = &self.request.tokens;
        let all = ["rustc", &self.request.name, item, args];
        Some(all.iter().map(|it| it.as_bytes().to_vec()).collect())
    }

    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let bytes = |(name, value): &(String, String)| (name.clone().into_bytes(), value.clone().into_bytes());
        let tools = [("CARGO", format!("{TOOLS}/cargo")), ("PATH", format!("{TOOLS}:/usr/bin:/bin"))];
        let tools = tools.map(|(name, value)| (name.to_owned(), value));
        let others = self.request.variables.iter().filter(|it| tools.iter().all(|tool| tool.0 != it.0));
        Some(others.chain(&tools).map(bytes).collect())
    }

    fn disk(&mut self) -> Disk {
        Disk::Working
    }

    fn folder(&mut self) -> Option<Vec<u8>> {
        Some(self.request.folder.clone().into_bytes())
    }

    fn path(&mut self, path: &[u8]) -> Option<KnownPath> {
        let path = Path::new(str::from_utf8(path).ok()?);
        if path.parent() == Some(Path::new(TOOLS)) {
            return Some(if path.ends_with("cargo") { KnownPath::File } else { KnownPath::Nothing });
        }
        // Where the folders lie is no secret, and each system has devices.
        let known = self.folders.iter().map(|(it, _)| it.as_path()).chain([Path::new(TOOLS), Path::new("/dev/null")]);
        self.is_unknown |= known.into_iter().all(|it| !path.starts_with(it) && !it.starts_with(path));
        self.folder_of(path)?.at(path)
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        let path = Path::new(str::from_utf8(path).ok()?);
        if path.starts_with(TOOLS) {
            return Some(Vec::new());
        }
        self.folder_of(path)?.bytes(path)
    }

    /// `cargo locate-project --workspace`: macros run in the workspace's folder, or in that of a dependency.
    fn program(&mut self, program: &StartedProgram<'_>) -> Option<ProgramOutput> {
        let has = |arg: &str| program.args.iter().skip(1).any(|it| it == arg.as_bytes());
        let is_it = program.path == format!("{TOOLS}/cargo").as_bytes()
            && ["locate-project", "--workspace", "--message-format=plain"].into_iter().all(has);
        let text = format!("{}/Cargo.toml\n", self.request.folder);
        is_it.then(|| ProgramOutput { text: text.into_bytes(), status: 0 })
    }

    fn writes_unknown(&mut self, fd: i32) {
        self.is_unknown |= fd == 1;
    }

    fn was_refused(&mut self) {
        self.is_unknown = true;
    }
}
