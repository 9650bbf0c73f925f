// Images at their full size, over the page.

import { all, make, one } from "core/dom.js";
import { onShown } from "./page.js";

const lightbox = make("dialog", { class: "lightbox", "aria-label": "Image" });

/** @param {Element} figure */
function showImage(figure) {
  const image = one("img", figure);
  if (!image) return;
  lightbox.replaceChildren(make("img", { src: image.src, alt: image.alt }));
  lightbox.showModal?.();
}

/** @param {HTMLElement} within */
function describeImages(within) {
  for (const figure of all("figure.image", within)) {
    if (figure.hasAttribute("tabindex") || !one("img", figure)) continue;
    figure.tabIndex = 0;
    figure.setAttribute("aria-label", "image; press Enter to enlarge");
  }
}

export function setUpImages() {
  document.body.append(lightbox);
  lightbox.addEventListener("click", () => lightbox.close());
  lightbox.addEventListener("close", () => lightbox.replaceChildren());
  onShown(describeImages);
  document.addEventListener("click", (event) => {
    const figure = event.target instanceof HTMLImageElement && event.target.closest("figure.image");
    if (figure) showImage(figure);
  });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || !(target instanceof Element) || !target.matches("figure.image")) return;
    event.preventDefault();
    showImage(target);
  });
}
