//! A client that receives events like a browser, and records their latency.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::Result;
use serde::Deserialize;

use crate::served::Served;
use crate::writer::PendingLines;

/// The records of a client.
#[derive(Default)]
pub(crate) struct Heard {
    /// Milliseconds from each line to the client.
    latencies: Mutex<Vec<f64>>,
    pub(crate) events: AtomicU64,
    pub(crate) bytes: AtomicU64,
    /// How often it fell behind and had to request everything again.
    pub(crate) resets: AtomicU64,
    pub(crate) is_closed: AtomicBool,
}

impl Heard {
    /// The latencies since the last call, sorted.
    pub(crate) fn take(&self) -> Vec<f64> {
        let mut latencies = std::mem::take(&mut *self.latencies.lock().unwrap_or_else(PoisonError::into_inner));
        latencies.sort_by(f64::total_cmp);
        latencies
    }
}

#[derive(Deserialize)]
struct CardsEvent {
    #[serde(default)]
    changed: Vec<Changed>,
}

#[derive(Deserialize)]
struct Changed {
    id: String,
    /// The time of the last line it includes.
    last: Option<i64>,
}

/// Receives events in a thread of its own, until the server ends.
pub(crate) fn listen(served: &Served, pending: Arc<HashMap<String, PendingLines>>) -> Result<Arc<Heard>> {
    let heard = Arc::new(Heard::default());
    let stream = served.ask("/events")?;
    let noted = Arc::clone(&heard);
    std::thread::spawn(move || {
        let mut name = String::new();
        for line in BufReader::with_capacity(1 << 20, stream).lines() {
            let Ok(line) = line else { break };
            noted.bytes.fetch_add(line.len() as u64, Ordering::Relaxed);
            if let Some(rest) = line.strip_prefix("event: ") {
                rest.clone_into(&mut name);
                noted.events.fetch_add(1, Ordering::Relaxed);
                if name == "reset" {
                    noted.resets.fetch_add(1, Ordering::Relaxed);
                }
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| name == "cards") {
                // A browser would have received it now, too.
                let arrived = Instant::now();
                let Ok(event) = serde_json::from_str::<CardsEvent>(data) else { continue };
                let mut latencies = noted.latencies.lock().unwrap_or_else(PoisonError::into_inner);
                for changed in event.changed {
                    if let (Some(pending), Some(last)) = (pending.get(&changed.id), changed.last) {
                        pending.arrived(last, arrived, |latency| latencies.push(latency));
                    }
                }
            }
        }
        noted.is_closed.store(true, Ordering::Relaxed);
    });
    Ok(heard)
}
