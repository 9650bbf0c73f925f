//! The report in ccusage's JSON shape, for scripts written for ccusage.
//!
//! The shape is that of `ccusage claude … --json` 20; the figures are ours. Values without a place in it (qualities,
//! unknown prices) are omitted. See `docs/ccusage.md`.

use std::io::Write;
use wire::JsonLayout;

use app::usage::{BlockReport, UsageKind, UsageLabel, UsageReport, UsageRow, UsageSums};
use ledger::blocks::{Block, Item};
use ledger::{Money, Quality, Tokens, Totals};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::CommandError;

/// Writes the report, or returns an error if ccusage has no such report.
pub(crate) fn write(out: &mut impl Write, report: &UsageReport<'_>) -> Result<(), CommandError> {
    let shaped = match (report.kind, &report.blocks) {
        (_, Some(blocks)) => json!({ "blocks": block_list(blocks) }),
        (UsageKind::Daily, None) => rows("daily", report),
        (UsageKind::Weekly, None) => rows("weekly", report),
        (UsageKind::Monthly, None) => rows("monthly", report),
        (UsageKind::Session, None) => rows("sessions", report),
        (kind, None) => {
            let message = format!("ccusage has no report like `{}`", kind.name());
            let hint = "--json=ccusage works for daily, weekly, monthly, session and blocks";
            return Err(CommandError::usage(message).hint(hint));
        }
    };
    wire::write(out, &shaped, JsonLayout::Pretty)?;
    Ok(())
}

fn rows(name: &str, report: &UsageReport<'_>) -> Value {
    let totals = &report.rows.all.totals;
    // ccusage omits sessions without usage.
    let is_shown = |row: &&UsageRow| {
        report.kind != UsageKind::Session || row.sums.totals.tokens.total() > 0 || row.sums.totals.cost > Money::ZERO
    };
    let rows = report.rows.list.iter().filter(is_shown).map(|row| Value::Object(row_out(row, report.kind)));
    let mut sums = counts(totals);
    let unpriced: Vec<&str> =
        totals.unknown_models.keys().map(|name| &**name).filter(|name| !name.is_empty()).collect();
    if !unpriced.is_empty() {
        sums.insert("unpricedModels".to_owned(), json!(unpriced));
    }
    let mut document = Map::new();
    document.insert(name.to_owned(), rows.collect());
    document.insert("totals".to_owned(), Value::Object(sums));
    Value::Object(document)
}

fn row_out(row: &UsageRow, kind: UsageKind) -> Map<String, Value> {
    let mut out = counts(&row.sums.totals);
    let mut set = |key: &str, value: Value| out.insert(key.to_owned(), value);
    match (&row.label, kind) {
        (UsageLabel::Since(date), UsageKind::Monthly) => {
            set("month", json!(date.map(|date| date.strftime("%Y-%m").to_string())));
        }
        (UsageLabel::Since(date), UsageKind::Weekly) => {
            set("week", json!(date.map(|date| date.to_string())));
        }
        (UsageLabel::Since(date), _) => {
            set("date", json!(date.map(|date| date.to_string())));
        }
        (UsageLabel::Session(session), _) => {
            let span = row.sums.totals.span;
            let folder = row.home.as_ref().map(|home| &*home.folder).filter(|folder| !folder.is_empty());
            set("sessionId", json!(session));
            set("projectPath", json!(folder.unwrap_or("Unknown Project")));
            set("firstActivity", json!(span.map(|(first, _)| instant(first))));
            set("lastActivity", json!(span.map(|(_, last)| instant(last))));
        }
        _ => {}
    }
    set("modelsUsed", json!(models_used(&row.sums)));
    set("modelBreakdowns", json!(breakdowns(&row.sums)));
    out
}

fn counts(totals: &Totals) -> Map<String, Value> {
    let mut out = Map::new();
    let Tokens { input, output, cache_read, cache_write, .. } = totals.tokens;
    out.insert("inputTokens".to_owned(), input.into());
    out.insert("outputTokens".to_owned(), output.into());
    out.insert("cacheCreationTokens".to_owned(), cache_write.into());
    out.insert("cacheReadTokens".to_owned(), cache_read.into());
    out.insert("totalTokens".to_owned(), totals.tokens.total().into());
    out.insert("totalCost".to_owned(), totals.cost.dollars().into());
    out
}

/// Returns models in the order of first use; helper models of a message come after its own model.
fn models_used(sums: &UsageSums) -> Vec<&str> {
    let mut models: Vec<_> = sums.models.iter().collect();
    models.sort_by_key(|(name, totals)| (totals.span.map(|(first, _)| first), totals.messages == 0, *name));
    models.into_iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Breakdown<'a> {
    model_name: &'a str,
    input_tokens: u64,
    output_tokens: u64,
    cache_creation_tokens: u64,
    cache_read_tokens: u64,
    cost: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_pricing: Option<bool>,
}

/// Returns the sums per model, most expensive first.
fn breakdowns(sums: &UsageSums) -> Vec<Breakdown<'_>> {
    let mut models: Vec<_> = sums.models.iter().filter(|(name, _)| !name.is_empty()).collect();
    models.sort_by(|(name, one), (other_name, other)| other.cost.cmp(&one.cost).then_with(|| name.cmp(other_name)));
    models
        .into_iter()
        .map(|(name, totals)| Breakdown {
            model_name: name,
            input_tokens: totals.tokens.input,
            output_tokens: totals.tokens.output,
            cache_creation_tokens: totals.tokens.cache_write,
            cache_read_tokens: totals.tokens.cache_read,
            cost: totals.cost.dollars(),
            missing_pricing: (totals.share(Quality::Unknown).tokens > 0).then_some(true),
        })
        .collect()
}

fn block_list(report: &BlockReport) -> Vec<Value> {
    let limit = report.limit_tokens();
    let mut items = report.items();
    // A gap begins at its moment, a block at the full hour before its first message.
    items.sort_by_key(|item| match item {
        Item::Block(block) => block.start,
        Item::Gap(gap) => gap.from,
    });
    if report.reversed {
        items.reverse();
    }
    items
        .into_iter()
        .map(|item| match item {
            Item::Block(block) => block_out(block, report.now, limit),
            Item::Gap(gap) => {
                let from = instant(gap.from);
                json!({
                    "id": format!("gap-{from}"),
                    "startTime": from,
                    "endTime": instant(gap.until),
                    "actualEndTime": null,
                    "isActive": false,
                    "isGap": true,
                    "entries": 0,
                    "tokenCounts": token_counts(&Tokens::default()),
                    "totalTokens": 0,
                    "costUSD": 0,
                    "models": [],
                    "burnRate": null,
                    "projection": null,
                })
            }
        })
        .collect()
}

fn token_counts(tokens: &Tokens) -> Value {
    json!({
        "inputTokens": tokens.input,
        "outputTokens": tokens.output,
        "cacheCreationInputTokens": tokens.cache_write,
        "cacheReadInputTokens": tokens.cache_read,
    })
}

#[expect(clippy::cast_precision_loss, reason = "percent of a limit need no more")]
fn block_out(block: &Block, now: i64, limit: Option<u64>) -> Value {
    let is_active = block.is_active(now);
    let burn = block.burn().filter(|_| is_active).map(|burn| {
        json!({
            "tokensPerMinute": burn.tokens_per_minute,
            "tokensPerMinuteForIndicator": burn.fresh_per_minute,
            "costPerHour": burn.cost_per_hour.dollars(),
        })
    });
    let projection = block.projection(now);
    let mut out = json!({
        "id": instant(block.start),
        "startTime": instant(block.start),
        "endTime": instant(block.end),
        "actualEndTime": instant(block.last),
        "isActive": is_active,
        "isGap": false,
        "entries": block.totals.messages,
        "tokenCounts": token_counts(&block.totals.tokens),
        "totalTokens": block.totals.tokens.total(),
        "costUSD": block.totals.cost.dollars(),
        "models": block.models.iter().filter(|name| !name.is_empty()).collect::<Vec<_>>(),
        "burnRate": burn,
        "projection": projection.map(|projection| json!({
            "totalTokens": projection.tokens,
            // Rounded to cents, as in ccusage.
            "totalCost": (projection.cost.dollars() * 100.0).round() / 100.0,
            "remainingMinutes": (projection.remaining + 30_000) / 60_000,
        })),
    });
    let mut set = |key: &str, value: Value| {
        if let Some(object) = out.as_object_mut() {
            object.insert(key.to_owned(), value);
        }
    };
    if let Some(resets) = block.limit_resets {
        set("usageLimitResetTime", json!(instant(resets)));
    }
    if let (Some(limit), Some(projection)) = (limit.filter(|limit| *limit > 0), projection) {
        let percent = projection.tokens as f64 / limit as f64 * 100.0;
        let status = match percent {
            ..=80.0 => "ok",
            ..=100.0 => "warning",
            _ => "exceeds",
        };
        set(
            "tokenLimitStatus",
            json!({"limit": limit, "projectedUsage": projection.tokens, "percentUsed": percent, "status": status}),
        );
    }
    out
}

/// A moment in UTC with milliseconds, as transcripts have it.
fn instant(at: i64) -> String {
    wire::moment(Some(at)).unwrap_or_default()
}
