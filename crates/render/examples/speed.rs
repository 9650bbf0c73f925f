//! tmp
#[derive(Clone, Copy)]
struct Instant(f64);
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
impl Instant {
    fn now() -> Self {
        Self(cpu())
    }
    fn elapsed(self) -> std::time::Duration {
        std::time::Duration::from_secs_f64(cpu() - self.0)
    }
}
fn main() {
    for (path, language) in std::env::args().skip(1).map(|p| {
        let l = render::Language::of_path(&p).unwrap();
        (p, l)
    }) {
        let mut text = std::fs::read_to_string(&path).unwrap();
        let unit = text.clone();
        while text.len() < 1_000_000 {
            text.push_str(&unit);
        }
        let t = Instant::now();
        let mut n = 0;
        for _ in 0..20 {
            n += render::highlight(&text, language).len();
        }
        let whole = t.elapsed();
        let t = Instant::now();
        let mut small = 0;
        let mut bytes = 0;
        for chunk in unit.as_bytes().chunks(500).cycle().take(20000) {
            let s = String::from_utf8_lossy(chunk);
            bytes += s.len();
            small += render::highlight(&s, language).len();
        }
        let s = t.elapsed();
        let t = Instant::now();
        let c = render::clean::clean_text(&text).len();
        let cl = t.elapsed();
        println!(
            "{path} {} lines {n} {small} {c}: {:.0} MB/s; blocks of 500 B: {:.0} MB/s; clean {:.0} MB/s",
            language.name(),
            20.0 * text.len() as f64 / 1e6 / whole.as_secs_f64(),
            bytes as f64 / 1e6 / s.as_secs_f64(),
            text.len() as f64 / 1e6 / cl.as_secs_f64()
        );
    }
}
