// Following: a growing page stays at its end if the reader is there; otherwise a button announces new steps.

import { all, root } from "core/dom.js";
import { counted } from "core/human.js";
import { eachFrame } from "core/pace.js";
import { CONVERSATION_PIECES } from "./chunks.js";
import { addAction } from "./keys.js";
import { makeButton, pageToolbar, say } from "./page.js";

/** Distance from the end that still counts as being there, in pixels. */
const END = 120;

const followButton = makeButton("follow", "follow", {
  "aria-pressed": "false",
  title: "go to the end, and stay there (F)",
});
const unseenButton = makeButton("end", "", { class: "growth", hidden: "" });

let isFollowing = false;
let unseen = 0;
let lastScroll = 0;

const isAtEnd = () => scrollY + innerHeight >= root.scrollHeight - END;

const lastPiece = () => all(CONVERSATION_PIECES).at(-1);

/**
 * Goes to the end, and stays there while the session continues.
 *
 * @param {boolean} isWanted
 */
function follow(isWanted) {
  isFollowing = isWanted;
  if (isFollowing) stayAtEnd();
  showUnseen();
  say(isFollowing ? "following" : "not following");
}

function stayAtEnd() {
  unseen = 0;
  lastPiece()?.scrollIntoView({ block: "end" });
  lastScroll = scrollY;
}

function noteScroll() {
  // A reader who scrolls back stops following.
  if (isFollowing && scrollY < lastScroll - 4 && !isAtEnd()) isFollowing = false;
  lastScroll = scrollY;
  const last = lastPiece();
  if (last && last.getBoundingClientRect().bottom <= innerHeight + END) unseen = 0;
  showUnseen();
}

/**
 * Records that the conversation has this many new steps.
 *
 * @param {number} count
 */
export function noteNewSteps(count) {
  unseen += count;
  if (isFollowing) requestAnimationFrame(() => setTimeout(stayAtEnd, 30));
  else requestAnimationFrame(noteScroll);
}

function showUnseen() {
  followButton.setAttribute("aria-pressed", String(isFollowing));
  unseenButton.hidden = isFollowing || unseen === 0;
  unseenButton.textContent = `${counted(unseen, "new step", "new steps")} ↓`;
}

export function setUpFollowing() {
  document.body.append(unseenButton);
  pageToolbar?.append(followButton);
  addAction("end", () => follow(true));
  addAction("follow", () => follow(!isFollowing), "F");
  addEventListener("scroll", eachFrame(noteScroll), { passive: true });
}
