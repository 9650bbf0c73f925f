//! Figures from the sessions of the last hours.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::blocks::{Blocks, FIVE_HOURS};
use ledger::{Ledger, PostKind, Prices, Totals};

/// Figures for a status line.
#[derive(Debug)]
pub(super) struct Figures {
    /// Totals of all sessions since midnight.
    pub(super) today: Totals,
    /// Totals of the running session, as far as they are known.
    pub(super) session: Totals,
    /// The session's model id.
    pub(super) model: Option<String>,
    /// Number of context tokens of the session's last message.
    pub(super) context: Option<u32>,
    /// End of the five-hour window, in milliseconds since 1970; `None` until all sessions are read.
    pub(super) block_ends: Option<i64>,
    /// Whether some usage is not read yet.
    pub(super) is_behind: bool,
}

impl Figures {
    pub(super) fn of(
        ledger: &Ledger,
        is_behind: bool,
        prices: &Prices,
        zone: &TimeZone,
        session: Option<&str>,
        now: Timestamp,
    ) -> Self {
        let midnight = zone.to_datetime(now).date().to_zoned(zone.clone());
        let midnight = midnight.map_or(now, |midnight| midnight.timestamp()).as_millisecond();
        let mut figures = Self {
            today: Totals::default(),
            session: Totals::default(),
            model: None,
            context: None,
            block_ends: None,
            is_behind,
        };
        let mut times = Vec::new();
        let mut last = i64::MIN;
        ledger.each(prices, |post| {
            let Some(at) = post.at else { return };
            if at >= midnight {
                figures.today.add(&post);
            }
            if post.kind == PostKind::Message {
                times.push(at);
            }
            if session != Some(ledger.session_name(post.session)) {
                return;
            }
            figures.session.add(&post);
            if post.kind == PostKind::Message && !post.is_side && at >= last {
                last = at;
                figures.context = Some(post.context).filter(|context| *context > 0);
                figures.model = Some(post.model_name.to_owned()).filter(|model| !model.is_empty());
            }
        });
        if !is_behind {
            figures.block_ends = block_ends(ledger, times, zone, now.as_millisecond());
        }
        figures
    }
}

/// Returns the end of the open window: five hours after it began, or when a reached limit resets.
fn block_ends(ledger: &Ledger, times: Vec<i64>, zone: &TimeZone, now: i64) -> Option<i64> {
    let mut blocks = Blocks::new(times, FIVE_HOURS);
    let limits = ledger.limits();
    let limits: Vec<_> = limits.iter().filter_map(|limit| Some((limit.at, limit.resets_at(zone)?))).collect();
    blocks.set_limits(&limits);
    let block = blocks.active(now)?;
    let lifted = block.limit_resets.filter(|at| (now..=block.end.saturating_add(FIVE_HOURS)).contains(at));
    Some(lifted.unwrap_or(block.end))
}
