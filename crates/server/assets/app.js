// What all pages of the app have: the theme, moments in the reader's own time, search as one types, and keys that lead
// from place to place.
"use strict";

(() => {
  const root = document.documentElement;
  const themes = ["", "light", "dark"];

  function setTheme(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    const button = document.getElementById("theme");
    if (button) button.textContent = theme || "auto";
  }

  function remembered(key) {
    try {
      return localStorage.getItem(`recount-${key}`) ?? "";
    } catch {
      return "";
    }
  }

  function remember(key, value) {
    try {
      localStorage.setItem(`recount-${key}`, value);
    } catch {
      // It is forgotten.
    }
  }

  // On a phone, the place where one is may lie beside the others.
  document.querySelector("header.top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // The board remembers things, too.
  globalThis.recount = { remembered, remember };

  setTheme(remembered("theme"));
  document.getElementById("theme")?.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "") + 1) % themes.length];
    remember("theme", next);
    setTheme(next);
  });

  // Times are in the zone of the settings if they name one that is known here, else in that of the reader.
  const timeZone = (() => {
    try {
      new Intl.DateTimeFormat(undefined, { timeZone: root.dataset.zone });
      return root.dataset.zone;
    } catch {
      return undefined;
    }
  })();
  const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone });
  globalThis.recount.timeZone = timeZone;
  function localTimes(within) {
    for (const time of within.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.getTime())) time.textContent = dayAndTime.format(at);
    }
  }
  localTimes(document);

  const isTyping = (target) => target.closest?.("input, textarea, select, [contenteditable]");
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isTyping(event.target)) return event.target.blur();
    if (isTyping(event.target)) return;
    if (event.key === "/") {
      event.preventDefault();
      document.querySelector("header.top input[type=search]")?.focus();
    }
  });

  // As one types, what fits is asked for: the latest answer counts.
  function asYouType(input, place, address) {
    if (!input || !place) return;
    let asked = 0;
    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const number = ++asked;
        const page = address(input);
        const part = `${page}${page.includes("?") ? "&" : "?"}part=true`;
        const response = await fetch(part).catch(() => null);
        if (number !== asked || !response?.ok) return;
        place.innerHTML = await response.text();
        localTimes(place);
        history.replaceState(null, "", page);
      }, 120);
    });
  }

  const found = document.getElementById("found");
  const search = document.querySelector("header.top input[type=search]");
  asYouType(search, found, (input) => `/search?q=${encodeURIComponent(input.value)}`);
  if (found && search && !search.value) search.focus();
  for (const input of document.querySelectorAll("input[data-part]")) {
    const ask = () => `${input.form.getAttribute("action")}?${new URLSearchParams(new FormData(input.form))}`;
    asYouType(input, document.querySelector(input.dataset.part), ask);
  }
})();
