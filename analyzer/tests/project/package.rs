//! Cargo packages and workspaces.

use expect_test::expect;

use super::support::{Folder, bodies, count_untyped, try_load};

fn workspace() -> Folder {
    Folder::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"util\"]\nresolver = \"2\"\n"),
        (
            "app/Cargo.toml",
            "[package]\nname = \"my-app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
             [dependencies]\nutil = { path = \"../util\", features = [\"more\"] }\n",
        ),
        ("app/src/main.rs", "mod deep;\nfn main() { deep::run(); println!(\"{}\", util::more(&[1])); }\n"),
        ("app/src/deep/mod.rs", "pub fn run() { let _ = util::Pair::default().0.wrapping_add(1); }\n"),
        ("app/src/bin/second.rs", "fn main() { assert_eq!(env!(\"CARGO_PKG_NAME\"), \"my-app\") }\n"),
        ("app/tests/it.rs", "#[test]\nfn t() {}\n"),
        ("util/Cargo.toml", "[package]\nname = \"util\"\nversion = \"0.1.0\"\n[features]\nmore = []\n"),
        (
            "util/src/lib.rs",
            "#[derive(Default)]\npub struct Pair(pub u8, pub u8);\n\
             #[cfg(all(feature = \"more\", debug_assertions))]\n\
             pub fn more(list: &[u8]) -> Option<u8> { list.iter().copied().max() }\n",
        ),
    ])
}

/// How a file is shown from where the tests run: absolute, unless both lie in one folder below the root.
fn shown(file: &std::path::Path) -> String {
    let here = std::env::current_dir().expect("the tests run somewhere");
    let common = here.components().zip(file.components()).take_while(|(one, two)| one == two).count();
    if common < 2 {
        return file.display().to_string();
    }
    let up = here.components().skip(common).map(|_| std::path::Component::ParentDir);
    up.chain(file.components().skip(common)).collect::<std::path::PathBuf>().display().to_string()
}

#[test]
fn a_member_and_its_dependency() {
    let folder = workspace();
    let project = try_load(&folder.path("app")).expect("the workspace is right");
    project.with_db(|project| {
        let names: Vec<_> = project.binaries().into_iter().map(|binary| binary.name).collect();
        assert_eq!(names, ["my-app", "second"]);
        let mut report = String::new();
        for krate in project.local_crates() {
            let name = krate.display_name(project.db()).map(|name| name.to_string()).unwrap_or_default();
            for id in bodies(project, krate) {
                let (all, untyped) = count_untyped(project, id);
                report += &format!("{name}: {untyped} of {all}\n");
            }
        }
        let mut lines: Vec<_> = report.lines().collect();
        lines.sort();
        expect![[r#"
            my_app: 0 of 25
            my_app: 0 of 6
            second: 0 of 27
            util: 0 of 5"#]]
        .assert_eq(&lines.join("\n"));
        let main = project.file(&shown(&folder.path("app/src/main.rs"))).expect("it is called as it is shown");
        assert_eq!(project.line_text(main, 1), "mod deep;");
        assert_eq!(project.compiled_path(main), "app/src/main.rs");
    });
}

#[test]
fn a_whole_workspace_and_its_tests() {
    let folder = workspace();
    let project = try_load(&folder.path("Cargo.toml")).expect("the workspace is right");
    let targets = project.with_db(|project| project.targets());
    let names: Vec<_> = targets.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["my-app", "second", "it", "util"]);
}

#[test]
fn a_file_that_is_not_utf8_is_told_and_the_rest_goes_on() {
    let folder = workspace();
    folder.write("app/src/deep/mod.rs", b"pub fn run() {} // \xff");
    let project = try_load(&folder.path("app")).expect("the workspace is right");
    let errors = project.with_db(|project| project.syntax_errors());
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].location.path, shown(&folder.path("app/src/deep/mod.rs")));
    assert_eq!(errors[0].message, "not UTF-8 (byte 19), taken as empty");
}
