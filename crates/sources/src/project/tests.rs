use std::collections::HashMap;
use std::process::Command;

use super::*;

/// A disk with these folders and files.
#[derive(Default)]
struct Made {
    folders: Vec<&'static str>,
    files: HashMap<&'static str, &'static str>,
}

impl Disk for Made {
    fn is_folder(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| Path::new(folder).starts_with(path))
            || self.files.keys().any(|file| Path::new(file).parent().is_some_and(|folder| folder.starts_with(path)))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path.to_str().unwrap())
    }

    fn read(&self, path: &Path) -> Option<String> {
        self.files.get(path.to_str()?).map(|text| (*text).to_owned())
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        self.is_folder(path).then(|| path.to_path_buf())
    }
}

fn named(disk: &Made, folders: &[&str]) -> Vec<String> {
    let projects = Projects::of(folders.iter().copied(), disk);
    let one = |folder: &&str| {
        let Project { path, worktree } = projects.get(folder).unwrap();
        worktree.as_ref().map_or_else(|| path.clone(), |worktree| format!("{path} in {worktree}"))
    };
    folders.iter().map(one).collect()
}

#[test]
fn folders_and_worktrees_belong_to_their_repository() {
    let disk = Made {
        folders: vec!["/w/shop/api/src", "/w/shop-fix/api", "/w/shop/.claude/worktrees/try", "/w/notes/2026"],
        files: HashMap::from([
            ("/w/shop/.git/HEAD", "ref: refs/heads/main"),
            ("/w/shop-fix/.git", "gitdir: /w/shop/.git/worktrees/shop-fix\n"),
            ("/w/shop/.git/worktrees/shop-fix/commondir", "../..\n"),
            ("/w/shop/.claude/worktrees/try/.git", "gitdir: ../../../.git/worktrees/try"),
            ("/w/shop/.git/worktrees/try/commondir", "../..\n"),
        ]),
    };
    let folders = [
        "/w/shop",
        "/w/shop/api/src",
        "/w/shop-fix",
        "/w/shop-fix/api",
        "/w/shop/.claude/worktrees/try",
        "/w/notes/2026",
    ];
    let expected = [
        "/w/shop",
        "/w/shop",
        "/w/shop in /w/shop-fix",
        "/w/shop in /w/shop-fix",
        "/w/shop in /w/shop/.claude/worktrees/try",
        "/w/notes/2026",
    ];
    assert_eq!(named(&disk, &folders), expected);
}

#[test]
fn a_repository_may_be_bare_or_gone_or_a_submodule() {
    let disk = Made {
        folders: vec!["/w/till", "/w/house/main", "/w/lost", "/w/shop/lib"],
        files: HashMap::from([
            ("/w/till/.git", "gitdir: /srv/till.git/worktrees/till"),
            ("/srv/till.git/worktrees/till/commondir", "../.."),
            ("/w/house/main/.git", "gitdir: /w/house/.bare/worktrees/main"),
            ("/w/house/.bare/worktrees/main/commondir", "../.."),
            ("/w/lost/.git", "gitdir: /old/place/.git/worktrees/lost"),
            ("/w/shop/.git/HEAD", ""),
            ("/w/shop/lib/.git", "gitdir: ../.git/modules/lib"),
        ]),
    };
    let expected = ["/srv/till.git in /w/till", "/w/house in /w/house/main", "/old/place in /w/lost", "/w/shop/lib"];
    assert_eq!(named(&disk, &["/w/till", "/w/house/main", "/w/lost", "/w/shop/lib"]), expected);
}

#[test]
fn a_missing_folder_belongs_to_the_nearest_known_one() {
    let disk = Made { folders: vec!["/w/shop"], files: HashMap::from([("/w/shop/.git/HEAD", "")]) };
    let folders = [
        "/w/shop/gone/deep",
        "/old/garden/beds/roses",
        "/old/garden/beds",
        "/old/garden",
        "/old/garden2",
        "/home/ana",
        "/home/ana/till",
        "/",
        "C:\\work\\shop",
        "C:\\work\\shop\\api",
        "/w/shop/.claude/worktrees/gone/src",
        "/old/till/.claude/worktrees/try",
    ];
    let expected = [
        "/w/shop",
        "/old/garden",
        "/old/garden",
        "/old/garden",
        "/old/garden2",
        "/home/ana",
        "/home/ana/till",
        "/",
        "C:\\work\\shop",
        "C:\\work\\shop",
        "/w/shop in /w/shop/.claude/worktrees/gone",
        "/old/till in /old/till/.claude/worktrees/try",
    ];
    assert_eq!(named(&disk, &folders), expected);
    // The disk of another machine is unknown.
    let projects = Projects::of(["/w/shop/api", "/w/shop"], &Elsewhere);
    assert_eq!(projects.get("/w/shop/api").map(|project| project.path.as_str()), Some("/w/shop"));
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for (name, value) in [("NAME", "ana"), ("EMAIL", "ana@example.com")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn worktrees_that_git_makes_are_known() {
    let place = tempfile::tempdir().unwrap();
    let base = fs::canonicalize(place.path()).unwrap();
    let [shop, fix, sub] = ["shop", "shop-fix", "shop/deep/er"].map(|name| base.join(name));
    fs::create_dir_all(&sub).unwrap();
    git(&shop, &["init", "--quiet"]);
    git(&shop, &["commit", "--quiet", "--allow-empty", "--message", "begin"]);
    git(&shop, &["worktree", "add", "--quiet", "../shop-fix"]);
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let own = Project { path: path(&shop), worktree: None };
    assert_eq!(project_of(&path(&shop)), own);
    assert_eq!(project_of(&path(&sub)), own);
    assert_eq!(project_of(&path(&fix)), Project { worktree: Some(path(&fix)), ..own.clone() });
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&shop, base.join("link")).unwrap();
        assert_eq!(project_of(&path(&base.join("link/deep"))), own);
    }
    assert_eq!(project_of("/no/such/folder").path, "/no/such/folder");
}
