//! What one session used, at the user's prices.

use content::Bill;
use index::catalogue::Used;
use ledger::Totals;
use reader::SessionReader;

use crate::Settings;

impl Settings {
    /// Returns what a session used, with the share of each turn, for every output that shows it.
    pub fn bill(&self, reader: &mut SessionReader) -> Bill {
        let spent = |totals: &Totals| Used::of(totals).spent();
        let Some(shares) = reader.turn_shares(&self.prices) else { return Bill::default() };
        let session = reader.ledger().map(|ledger| spent(&ledger.summary(&self.prices).totals));
        Bill {
            session: session.filter(|session| !session.is_nothing()),
            turns: shares.turns.iter().map(|turns| turns.iter().map(spent).collect()).collect(),
            rest: Some(spent(&shares.rest)).filter(|rest| !rest.is_nothing()),
        }
    }
}
