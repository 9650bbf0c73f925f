// Following: the end of a growing page stays in view for who is there, and others see that there is something new.

import { all, root } from "core/dom.js";
import { counted } from "core/human.js";
import { eachFrame } from "core/pace.js";
import { CONVERSATION_PIECES } from "./chunks.js";
import { addAction } from "./keys.js";
import { makeButton, pageToolbar, say } from "./page.js";

/** Whoever is this near to the end is there, in pixels. */
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
 * Goes to the end, and stays there while the session goes on.
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
  // Whoever scrolls back wants to read.
  if (isFollowing && scrollY < lastScroll - 4 && !isAtEnd()) isFollowing = false;
  lastScroll = scrollY;
  const last = lastPiece();
  if (last && last.getBoundingClientRect().bottom <= innerHeight + END) unseen = 0;
  showUnseen();
}

/**
 * Notes that the conversation has got so many steps more.
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
