/* Icons of the sprite for elements that scripts make. */
const SVG = "http://www.w3.org/2000/svg";

export function iconHref(name) {
  return `${document.body.dataset.sprite}#${name}`;
}

export function makeIcon(name, size = 16) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("class", size === 16 ? "icon" : `icon icon-${size}`);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", iconHref(name));
  svg.append(use);
  return svg;
}

export function setIcon(svg, name) {
  svg.querySelector("use").setAttribute("href", iconHref(name));
}

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
