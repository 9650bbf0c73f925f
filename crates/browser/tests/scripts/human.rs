//! Tests that `core/human.js` formats figures as `human.rs` does. The expected values come from the Rust functions.

use browser::Browser;
use jiff::tz::TimeZone;
use page::script::{MODULES, link};
use serde_json::{Value, json};
use testkit::Rng;

use crate::modules::{call, load};

/// The largest whole number that a script can distinguish from its neighbours.
const LARGEST: u64 = (1 << 53) - 1;

/// Functions that only the browser has, because they need the reader's language and zone.
const ONLY_IN_SCRIPTS: [&str; 3] = ["ago", "inFull", "zoneOffset"];

/// Zones with and without summer time, with odd offsets, and on both sides of the date line.
const ZONES: [&str; 6] =
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Asia/Tokyo"];

/// A call of a function in the script, and its expected result.
struct Case {
    function: &'static str,
    arguments: Value,
    expected: String,
}

impl Case {
    fn new(function: &'static str, arguments: Value, expected: String) -> Self {
        Self { function, arguments, expected }
    }
}

/// Whole numbers of all sizes: around every power of ten and every unit of time, and thousands of random ones.
fn numbers() -> Vec<u64> {
    let powers = (0..16).map(|power| 10_u64.pow(power));
    let units =
        [1000, 60_000, 3_600_000, 86_400_000].into_iter().flat_map(|unit| [1, 2, 9, 10, 59, 60].map(|n| n * unit));
    let edges = powers.chain(units).flat_map(|edge| [edge - 1, edge, edge + 1, edge + edge / 2]);
    let mut rng = Rng::new(17);
    let random = (0..4000).map(|_| rng.next_u64() & LARGEST >> rng.below(53));
    [0, LARGEST, LARGEST - 1].into_iter().chain(edges).chain(random).collect()
}

fn figures() -> Vec<Case> {
    let mut cases = Vec::new();
    for number in numbers() {
        cases.push(Case::new("duration", json!([number]), human::duration(number)));
        cases.push(Case::new("runningDuration", json!([number]), human::running_duration(number)));
        cases.push(Case::new("thousands", json!([number]), human::thousands(number)));
        for (one, many) in [("turn", "turns"), ("entry", "entries"), ("", "…")] {
            cases.push(Case::new("counted", json!([number, one, many]), human::counted(number, one, many)));
        }
    }
    cases
}

/// Texts that make counting characters hard: blanks of all kinds, surrogate pairs, marks, joined emoji, empty text.
fn texts() -> Vec<Case> {
    const PIECES: [&str; 14] =
        ["a", "word", " ", "\u{a0}", "\u{3000}", "\u{85}", "\u{feff}", "\n", "\t", "é", "e\u{301}", "👩‍👩‍👧", "𝒳", "…"];
    let mut rng = Rng::new(18);
    let mut cases = Vec::new();
    for _ in 0..1500 {
        let text: String = (0..rng.below(40)).map(|_| rng.pick(&PIECES)).collect();
        let most = rng.below(50);
        cases.push(Case::new("shortened", json!([text, most]), human::shortened(&text, most)));
    }
    cases
}

/// Times from 1970 on, those around clock changes, and some outside the calendar.
fn moments(zone: &TimeZone) -> Vec<Case> {
    let mut rng = Rng::new(19);
    let random = (0..1500).map(|_| rng.integer(0, 4_102_444_800_000));
    // The start and the end of summer time in Berlin and New York in 2026.
    let changes = [1_774_746_000_000, 1_792_890_000_000, 1_772_953_200_000, 1_793_512_800_000];
    let around = changes.into_iter().flat_map(|change| [-3_600_001, -1, 0, 1, 3_600_000].map(|step| change + step));
    let hostile = [
        0,
        -1,
        -2_000_000_000_000,
        -62_200_000_000_000,
        -377_705_023_201_000,
        -377_705_023_201_001,
        253_402_207_200_000,
        253_402_207_200_001,
        i64::MAX >> 10,
        i64::MIN >> 10,
    ];
    let mut cases = Vec::new();
    for at in random.chain(around).chain(hostile) {
        cases.push(Case::new("dateAndTime", json!([at]), human::date_and_time(Some(at), zone)));
        cases.push(Case::new("timeOfDay", json!([at]), human::time_of_day(Some(at), zone)));
        cases.push(Case::new("exactTimeOfDay", json!([at]), human::exact_time_of_day(Some(at), zone)));
    }
    cases
}

/// The results of the script that differ.
const COMPARE: &str = "(cases) => cases.flatMap(([name, values, expected]) => {
    const said = exported[name](...values);
    return said === expected ? [] : [{ name, values, said, expected }];
})";

fn assert_equal(page: &browser::Page<'_>, cases: &[Case], about: &str) {
    let sent: Vec<Value> = cases.iter().map(|case| json!([case.function, case.arguments, case.expected])).collect();
    let different = call(page, COMPARE, &json!(sent));
    let different = different.as_array().unwrap();
    let some: Vec<String> = different.iter().take(20).map(Value::to_string).collect();
    assert!(different.is_empty(), "{about}: {} of {} differ:\n{}", different.len(), cases.len(), some.join("\n"));
}

#[test]
fn figures_are_the_same_in_scripts() {
    let browser = Browser::launch().unwrap();
    let page = browser.page().unwrap();
    load(&page, "core/human.js");
    assert_equal(&page, &figures(), "figures");
    assert_equal(&page, &texts(), "texts");
}

#[test]
fn times_are_the_same_in_scripts() {
    let browser = Browser::launch().unwrap();
    for name in ZONES {
        let page = browser.page().unwrap();
        page.call("Emulation.setTimezoneOverride", &json!({"timezoneId": name})).unwrap();
        // The reader's language makes no difference.
        page.call("Emulation.setLocaleOverride", &json!({"locale": "ar-EG"})).unwrap();
        load(&page, "core/human.js");
        assert_equal(&page, &moments(&TimeZone::get(name).unwrap()), name);
    }
}

/// A page rendered for a zone shows it to every reader.
#[test]
fn times_are_in_the_zone_of_the_page() {
    let browser = Browser::launch().unwrap();
    for name in ZONES {
        let page = browser.page().unwrap();
        page.call("Emulation.setTimezoneOverride", &json!({"timezoneId": "America/St_Johns"})).unwrap();
        page.evaluate(&format!("document.documentElement.dataset.zone = {name:?}")).unwrap();
        load(&page, "core/human.js");
        assert_equal(&page, &moments(&TimeZone::get(name).unwrap()), name);
    }
}

/// A formatter that is not compared could diverge.
#[test]
fn every_formatter_of_the_script_is_compared() {
    let compared: Vec<Case> = [figures(), texts(), moments(&TimeZone::UTC)].into_iter().flatten().collect();
    for name in link("core/human.js", MODULES).unwrap().exports {
        let is_compared = compared.iter().any(|case| case.function == name);
        assert!(is_compared != ONLY_IN_SCRIPTS.contains(&name), "{name}");
    }
}
