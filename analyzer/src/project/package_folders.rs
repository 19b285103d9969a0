//! The folders of some packages of a Cargo workspace.

use ra_ap_load_cargo::ProjectFolders;
use ra_ap_paths::AbsPath;
use ra_ap_project_model::{CargoWorkspace, Package, ProjectWorkspace};
use ra_ap_vfs::loader;

/// The folders of these packages.
pub(super) fn of(workspace: &ProjectWorkspace, cargo: &CargoWorkspace, packages: &[Package]) -> ProjectFolders {
    let mut folders = ProjectFolders::new(std::slice::from_ref(workspace), &[], None);
    let wanted: Vec<&AbsPath> = packages.iter().map(|it| cargo[*it].manifest.parent()).collect();
    let is_in = |path: &AbsPath| wanted.iter().any(|folder| path.starts_with(folder));
    folders.load.retain(|entry| match entry {
        loader::Entry::Files(files) => files.iter().any(|file| is_in(file)),
        loader::Entry::Directories(dirs) => dirs.include.iter().any(|folder| is_in(folder)),
    });
    folders
}
