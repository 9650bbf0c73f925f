// Cards: put where they belong, replaced when they change, and with what is asked in them.

const lists = Object.fromEntries(["needs", "work", "ended"].map((part) => [part, one(`#${part} > ol`)]));
const cardOf = (id) => document.getElementById(`s-${id}`);

function parseCard(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/** Puts cards where they belong without touching those that are there already: what is focused stays so. */
function arrange(order) {
  for (const [part, list] of Object.entries(lists)) {
    let place = list.firstElementChild;
    for (const id of order) {
      const card = cardOf(id);
      if (!card || card.dataset.part !== part) continue;
      if (card === place) place = place.nextElementSibling;
      else list.insertBefore(card, place);
    }
  }
  group();
  all(".card:not([hidden])", lists.needs).forEach((card, at) => (card.dataset.number = at < 9 ? at + 1 : ""));
  for (const [part, list] of Object.entries(lists)) {
    const count = document.getElementById(`${part}-count`);
    if (count) count.textContent = all(".card", list).length;
  }
}

let order = all(".card").map((card) => card.dataset.session);

function apply(told) {
  for (const { id, html, bars: newBars } of told.changed) {
    const card = parseCard(html);
    const old = cardOf(id);
    if (old) {
      const isFocused = old.contains(document.activeElement);
      card.hidden = old.hidden;
      old.replaceWith(card);
      if (isFocused) one("a", card)?.focus({ preventScroll: true });
    } else {
      lists[card.dataset.part].append(card);
    }
    showAsked(card);
    addBars(id, newBars);
  }
  for (const id of told.gone) {
    cardOf(id)?.remove();
    bars.delete(id);
  }
  if (told.order) order = told.order;
  arrange(order);
  one("#totals").innerHTML = told.totals;
  one("#notes").innerHTML = told.notes;
  count(told.needs_you);
  filter();
  runClocks();
  drawSoon();
  for (const { id } of told.changed) tellAlerts(cardOf(id));
  tellWaits();
}

// ── what is asked ──

/** What calls ask for in full, by session and call: the diff, the options, the plan. */
const asked = new Map();

async function showAsked(card) {
  const { session, call } = card.dataset;
  const place = one(".asked", card);
  if (!place || !call) return;
  const key = `${session} ${call}`;
  if (!asked.has(key)) {
    const text = await textAt(`/session/${encodeURIComponent(session)}/call/${encodeURIComponent(call)}`);
    if (text === null) return;
    asked.set(key, text);
  }
  // The card may have been replaced meanwhile.
  const current = cardOf(session);
  if (current?.dataset.call !== call) return;
  const there = one(".asked", current);
  there.innerHTML = asked.get(key);
  const isAll = !there.firstElementChild;
  one(".what", current)?.toggleAttribute("hidden", !isAll);
  there.hidden = isAll;
}
