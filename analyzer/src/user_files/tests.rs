use super::*;
use std::fs;
use tempfile::TempDir;

const HEADER: Header = Header::new("tsvd-check test 1");

fn folder() -> (TempDir, UserFolder) {
    let base = tempfile::tempdir().unwrap();
    let folder = UserFolder::open(base.path(), &["tsvd-check", "test"]).unwrap();
    (base, folder)
}

fn sorted(folder: &UserFolder) -> Vec<String> {
    let mut names = folder.names().unwrap();
    names.sort();
    names
}

fn date(path: &Path, ago: u64) {
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(ago)).unwrap();
}

#[test]
fn what_is_written_is_read_and_replaced() {
    let (_base, folder) = folder();
    assert_eq!(folder.read("a", HEADER, 100).unwrap(), None);
    folder.write("a", HEADER, b"one").unwrap();
    folder.write("a", HEADER, b"two").unwrap();
    assert_eq!(folder.read("a", HEADER, 100).unwrap().unwrap(), b"two");
    assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"tsvd-check test 1\ntwo");
    assert!(folder.read("a", HEADER, 10).unwrap_err().to_string().contains("is longer than 10 bytes"));
    assert!(!folder.create("a", HEADER, b"three").unwrap());
    assert_eq!(sorted(&folder), ["a"]);
    assert!(folder.remove("a", HEADER).unwrap());
    assert!(!folder.remove("a", HEADER).unwrap());
    assert!(folder.create("a", HEADER, b"three").unwrap());
    assert_eq!(folder.read("a", HEADER, 100).unwrap().unwrap(), b"three");
    assert_eq!(sorted(&folder), ["a"]);
}

#[test]
fn files_of_others_are_left_alone() {
    let (_base, folder) = folder();
    let path = folder.path().join("a");
    fs::write(&path, "a letter").unwrap();
    assert!(folder.read("a", HEADER, 100).unwrap_err().to_string().contains("does not start with `tsvd-check test 1`"));
    folder.write("a", HEADER, b"x").unwrap_err();
    folder.remove("a", HEADER).unwrap_err();
    folder.keep_newest(0, HEADER, |_| true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a letter");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    folder.read("a", HEADER, 100).unwrap_err();
    folder.write("a", HEADER, b"x").unwrap_err();
    folder.keep_newest(0, HEADER, |_| true).unwrap();
    assert!(path.is_dir());
}

#[test]
fn what_was_cut_off_is_replaced() {
    let (_base, folder) = folder();
    for text in ["", "tsvd-che"] {
        fs::write(folder.path().join("a"), text).unwrap();
        folder.read("a", HEADER, 100).unwrap_err();
        folder.write("a", HEADER, b"x").unwrap();
        assert_eq!(folder.read("a", HEADER, 100).unwrap().unwrap(), b"x");
    }
}

#[test]
fn the_oldest_go() {
    let (_base, folder) = folder();
    for (index, name) in ["a", "b", "c", "other"].into_iter().enumerate() {
        folder.write(name, HEADER, b"x").unwrap();
        date(&folder.path().join(name), 1000 - index as u64);
    }
    fs::write(folder.path().join("d"), "a letter").unwrap();
    date(&folder.path().join("d"), 5000);
    folder.keep_newest(2, HEADER, |name| name.len() == 1).unwrap();
    // `a` is a file of ours by its name and counts.
    assert_eq!(sorted(&folder), ["b", "c", "d", "other"]);
}

#[test]
fn drafts_that_nobody_writes_go() {
    let (_base, folder) = folder();
    let name = |digit: &str| format!("draft-{}", digit.repeat(32));
    let path = |digit| folder.path().join(name(digit));
    fs::write(path("1"), "").unwrap();
    fs::write(path("2"), "tsvd-check test 1\nhalf").unwrap();
    fs::write(path("3"), "a letter").unwrap();
    fs::write(folder.path().join("draft-of-a-letter"), "").unwrap();
    fs::write(path("4"), "").unwrap();
    let writing = File::open(path("4")).unwrap();
    writing.lock().unwrap();
    folder.keep_newest(10, HEADER, |_| false).unwrap();
    assert_eq!(sorted(&folder), [name("3"), name("4"), "draft-of-a-letter".to_owned()]);
    drop(writing);
    folder.keep_newest(10, HEADER, |_| false).unwrap();
    assert_eq!(sorted(&folder), [name("3"), "draft-of-a-letter".to_owned()]);
}

#[test]
fn one_of_many_makes_a_file() {
    let (_base, folder) = folder();
    let made: Vec<bool> = std::thread::scope(|scope| {
        let make = |number: u8| folder.create("a", HEADER, &[number; 1000]).unwrap();
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || make(number))).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let maker = made.iter().position(|it| *it).unwrap();
    assert_eq!(made.iter().filter(|it| **it).count(), 1);
    assert_eq!(folder.read("a", HEADER, 2000).unwrap().unwrap(), [maker as u8; 1000]);
    assert_eq!(sorted(&folder), ["a"]);
}

#[test]
fn without_handles() {
    let base = tempfile::tempdir().unwrap();
    let folder = handle::portable::Handle::open(base.path()).unwrap().folder("ours").unwrap();
    assert_eq!(folder.distrusted().unwrap(), None);
    folder.create_new("draft").unwrap().write_all(b"x").unwrap();
    assert_eq!(folder.create_new("draft").unwrap_err().kind(), ErrorKind::AlreadyExists);
    folder.rename("draft", "a").unwrap();
    folder.create_new("draft").unwrap();
    assert_eq!(folder.rename_new("draft", "a").unwrap_err().kind(), ErrorKind::AlreadyExists);
    folder.rename_new("draft", "b").unwrap();
    let mut names = folder.names().unwrap();
    names.sort();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(handle::portable::distrusted_file(&folder.file("a").unwrap().metadata().unwrap()), None);
    folder.remove("a").unwrap();
    assert_eq!(folder.file("a").unwrap_err().kind(), ErrorKind::NotFound);
    folder.create_new_shared("c").unwrap();
    assert!(!folder.is_special("c").unwrap() && !folder.is_special("d").unwrap());
    let outer = handle::portable::Handle::open(base.path()).unwrap();
    assert!(outer.is_special("ours").unwrap());
    assert!(outer.existing_folder("ours".as_ref()).unwrap().file("c").is_ok());
    assert_eq!(outer.existing_folder("theirs".as_ref()).unwrap_err().kind(), ErrorKind::NotFound);
    let inner = base.path().join("inner");
    handle::portable::create_folders(&inner.join("deep")).unwrap();
    assert_eq!(handle::portable::create_folder(&inner).unwrap_err().kind(), ErrorKind::AlreadyExists);
}

#[test]
fn processes_agree_on_a_key() {
    let (_base, folder) = folder();
    let tags: Vec<String> = std::thread::scope(|scope| {
        let open = || UserKey::in_folder(&folder).unwrap().tag("a", b"b");
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let key = UserKey::in_folder(&folder).unwrap();
    assert_eq!(tags, vec![key.tag("a", b"b"); 8]);
    assert!(key.is_tag("a", b"b", &tags[0]));
    for (purpose, content, tag) in
        [("a", &b"c"[..], tags[0].as_str()), ("", b"ab", &tags[0]), ("a", b"b", ""), ("a", b"b", "0")]
    {
        assert!(!key.is_tag(purpose, content, tag));
    }
    let (_base, other) = self::folder();
    assert!(!UserKey::in_folder(&other).unwrap().is_tag("a", b"b", &tags[0]));
}

#[test]
fn a_temporary_folder_goes() {
    let folder = TemporaryFolder::new().unwrap();
    let path = folder.path().to_owned();
    for content in [b"one", b"two"] {
        assert_eq!(folder.write("Cargo.lock", content).unwrap(), path.join("Cargo.lock"));
        assert_eq!(fs::read(path.join("Cargo.lock")).unwrap(), content);
    }
    drop(folder);
    assert!(!path.exists());
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn reopen(base: &TempDir) -> String {
        UserFolder::open(base.path(), &["tsvd-check", "test"]).unwrap_err().to_string()
    }

    #[test]
    fn all_is_for_the_user_alone() {
        let (base, folder) = folder();
        folder.write("a", HEADER, b"x").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&base.path().join("tsvd-check")), 0o700);
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.path().join("a")), 0o600);
    }

    #[test]
    fn folders_of_others_are_refused() {
        for name in ["tsvd-check", "tsvd-check/test"] {
            for mode in [0o770, 0o702, 0o1777] {
                let (base, _) = folder();
                set_mode(&base.path().join(name), mode);
                let message = reopen(&base);
                assert!(
                    message.contains(&format!("{name} is not used: it can be written by other users")),
                    "{message}"
                );
            }
            let (base, _) = folder();
            let path = base.path().join(name);
            fs::rename(&path, base.path().join("elsewhere")).unwrap();
            symlink("elsewhere", &path).unwrap();
            assert!(reopen(&base).contains("it is a link, or no folder"));
            fs::remove_file(&path).unwrap();
            fs::write(&path, "").unwrap();
            assert!(reopen(&base).contains("it is a link, or no folder"));
        }
    }

    #[test]
    fn files_of_others_are_refused() {
        let (base, folder) = folder();
        let path = folder.path().join("a");
        let letter = base.path().join("letter");
        fs::write(&letter, "tsvd-check test 1\n").unwrap();
        let is_refused = |why: &str| {
            let errors = [
                folder.read("a", HEADER, 100).unwrap_err(),
                folder.write("a", HEADER, b"x").unwrap_err(),
                folder.remove("a", HEADER).unwrap_err(),
            ];
            folder.keep_newest(0, HEADER, |_| true).unwrap();
            assert!(errors.iter().all(|it| it.to_string().contains(why)), "{errors:?}");
            assert!(path.symlink_metadata().is_ok());
            assert_eq!(fs::read_to_string(&letter).unwrap(), "tsvd-check test 1\n");
        };
        symlink(&letter, &path).unwrap();
        is_refused("it is a link");
        fs::remove_file(&path).unwrap();
        fs::hard_link(&letter, &path).unwrap();
        is_refused("has several names");
        fs::remove_file(&path).unwrap();
        fs::copy(&letter, &path).unwrap();
        set_mode(&path, 0o660);
        is_refused("can be written by other users");
        fs::remove_file(&path).unwrap();
        let pipe = rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        );
        pipe.unwrap();
        is_refused("is not a regular file");
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let (_base, folder) = folder();
        let refused = || UserKey::in_folder(&folder).err().unwrap().to_string();
        UserKey::in_folder(&folder).unwrap();
        let path = folder.path().join("key");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        set_mode(&path, 0o640);
        assert!(refused().contains("can be read by other users"));
        set_mode(&path, 0o600);
        UserKey::in_folder(&folder).unwrap();
        // A copy is another key.
        let tag = UserKey::in_folder(&folder).unwrap().tag("a", b"b");
        let text = fs::read(&path).unwrap();
        fs::rename(&path, folder.path().join("first")).unwrap();
        fs::write(&path, text).unwrap();
        set_mode(&path, 0o600);
        assert!(!UserKey::in_folder(&folder).unwrap().is_tag("a", b"b", &tag));
        fs::write(&path, "tsvd-check key 1\nabc").unwrap();
        assert!(refused().contains("is damaged"));
        fs::rename(&path, folder.path().join("other")).unwrap();
        symlink("other", &path).unwrap();
        assert!(refused().contains("it is a link"));
    }

    #[test]
    fn a_folder_that_is_replaced_by_a_link_is_worked_in_no_more() {
        let (base, folder) = folder();
        folder.write("a", HEADER, b"x").unwrap();
        let elsewhere = base.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("a"), "tsvd-check test 1\n").unwrap();
        fs::rename(folder.path(), base.path().join("moved")).unwrap();
        symlink(&elsewhere, folder.path()).unwrap();
        folder.write("b", HEADER, b"x").unwrap();
        folder.keep_newest(0, HEADER, |name| name == "a").unwrap();
        assert_eq!(sorted(&folder), ["b"]);
        assert!(elsewhere.join("a").exists() && !elsewhere.join("b").exists());
    }
}
