// Images: at their full size, over the page.

const lightbox = make("dialog", { class: "lightbox", "aria-label": "Image" });

function showImage(figure) {
  const image = one("img", figure);
  if (!image) return;
  const large = document.createElement("img");
  large.src = image.src;
  large.alt = image.alt;
  lightbox.replaceChildren(large);
  lightbox.showModal?.();
}

function setUpImages() {
  document.body.append(lightbox);
  lightbox.addEventListener("click", () => lightbox.close());
  lightbox.addEventListener("close", () => lightbox.replaceChildren());
  whenShown.push((within) => {
    for (const figure of all("figure.image", within)) {
      if (figure.hasAttribute("tabindex") || !one("img", figure)) continue;
      figure.tabIndex = 0;
      figure.setAttribute("aria-label", "image; press Enter to enlarge");
    }
  });
  document.addEventListener("click", (event) => {
    const figure = event.target.closest("figure.image");
    if (figure && event.target.matches("img")) showImage(figure);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("figure.image")) return;
    event.preventDefault();
    showImage(event.target);
  });
}
