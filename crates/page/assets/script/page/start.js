// The entry point: sets everything up, and applies the URL fragment.

import { root } from "core/dom.js";
import { followAddress, setUpAddress } from "./address.js";
import { chunks, estimate, fill, findChunks, tendChunks } from "./chunks.js";
import { setUpCode } from "./code.js";
import { setUpCopy } from "./copy.js";
import { setUpFolds } from "./folds.js";
import { setUpGrowth } from "./growth.js";
import { setUpImages } from "./images.js";
import { setUpKeys } from "./keys.js";
import { setUpLooks } from "./looks.js";
import { setUpPage } from "./page.js";
import { handOver, isFramed } from "./parts.js";
import { setUpPlaces } from "./places.js";
import { setUpPlayer } from "./player.js";
import { setUpSearch } from "./search.js";
import { setUpTimeline } from "./timeline.js";
import { setUpTimes } from "./times.js";
import { setUpView } from "./view.js";

function start() {
  setUpLooks();
  setUpPage();
  setUpFolds();
  setUpView();
  setUpPlaces();
  setUpSearch();
  setUpCopy();
  setUpImages();
  setUpCode();
  setUpTimes();
  findChunks();
  setUpTimeline();
  setUpPlayer();
  setUpAddress();
  setUpKeys();
  followAddress();
  setUpGrowth();
  // Print has no chunks that load later.
  addEventListener("beforeprint", () => {
    chunks.forEach(fill);
    for (const { file, element } of chunks) if (file) element.style.minHeight = "";
  });
  addEventListener("afterprint", () => {
    for (const chunk of chunks) if (chunk.file) estimate(chunk);
    tendChunks();
  });
  root.dataset.ready = "";
}

if (isFramed) handOver();
else start();
