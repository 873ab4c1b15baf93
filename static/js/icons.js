/* Icons of the sprite for elements that scripts make. */
import { the } from "./the.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {(name: string) => string} */
export function iconHref(name) {
  return `${document.body.dataset.sprite}#${name}`;
}

/** @type {(name: string, size?: number) => SVGSVGElement} */
export function makeIcon(name, size = 16) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("class", size === 16 ? "icon" : `icon icon-${size}`);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", iconHref(name));
  svg.append(use);
  return svg;
}

/** @type {(svg: Element, name: string) => void} */
export function setIcon(svg, name) {
  the(svg, "use").setAttribute("href", iconHref(name));
}

/** @type {() => SVGSVGElement} */
export function makeBar() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "bar");
  svg.setAttribute("aria-hidden", "true");
  for (const name of ["track", "fill"]) {
    const rect = document.createElementNS(SVG, "rect");
    rect.setAttribute("class", name);
    rect.setAttribute("height", "100%");
    rect.setAttribute("width", name === "track" ? "100%" : "0%");
    svg.append(rect);
  }
  return svg;
}
