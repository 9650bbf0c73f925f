// Filter, groups and keys.

const filterInput = document.getElementById("filter");
const groupSelect = document.getElementById("group");

function filter() {
  const words = filterInput.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of all(".card")) {
    const text = `${card.textContent} ${card.dataset.project} ${card.dataset.state}`.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
}

/** By project: those of one project stand together, under its name. */
function group() {
  for (const heading of all("li.group")) heading.remove();
  if (groupSelect.value !== "project") return;
  for (const list of [lists.work, lists.ended]) {
    const byProject = Map.groupBy
      ? Map.groupBy(all(".card", list), (card) => card.dataset.project)
      : all(".card", list).reduce(
          (map, card) => map.set(card.dataset.project, [...(map.get(card.dataset.project) ?? []), card]),
          new Map(),
        );
    for (const [project, cards] of byProject) {
      const heading = document.createElement("li");
      heading.className = "group";
      heading.textContent = project || "elsewhere";
      list.append(heading, ...cards);
    }
  }
}

filterInput.addEventListener("input", () => {
  filter();
  drawSoon();
});
groupSelect.value = remembered("group") === "project" ? "project" : "state";
groupSelect.addEventListener("change", () => {
  remember("group", groupSelect.value);
  arrange(order);
});

// ── keys ──

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const shown = () => all(".card:not([hidden])");
  if (/^[1-9]$/.test(event.key)) {
    one("h3 a", all(".card:not([hidden])", lists.needs)[Number(event.key) - 1])?.click();
  } else if (event.key === "j" || event.key === "k") {
    const cards = shown();
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    one("h3 a", next ?? cards.at(-1))?.focus();
  } else if (event.key === "f") {
    event.preventDefault();
    filterInput.focus();
  } else if (event.key === "g") {
    groupSelect.value = groupSelect.value === "state" ? "project" : "state";
    groupSelect.dispatchEvent(new Event("change"));
  }
});
