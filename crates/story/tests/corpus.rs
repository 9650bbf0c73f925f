//! Stories of real sessions, when they are there.

mod outline;

use std::path::PathBuf;

#[test]
fn peek() {
    let Some(path) = std::env::var_os("PEEK").map(PathBuf::from) else { return };
    let file = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let mut teller = outline::tell(&file);
    println!("{}", outline::outline(teller.story()));
    println!("{:#?}", teller.story().facts);
    println!("{}", teller.story().accounting());
}
