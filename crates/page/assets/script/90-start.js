// The beginning: everything is set up, and the page becomes what its address says.

function start() {
  setUpLooks();
  if (toolbar) toolbar.hidden = false;
  document.body.append(status, toast);
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
  // Paper has no chunks that come later.
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
