/* Keeps the fore-edge true to live events: a sliver shows the worst state of the pages that it stands for. */

/** @type {(svg: SVGSVGElement) => void} */
export function start(svg) {
  const severity = (svg.dataset.severity ?? "").split(" ");
  const states = (svg.dataset.states ?? "").split(" ");
  const size = Number(svg.dataset.pagesPerSliver);
  const slivers = [...svg.querySelectorAll(".sliver")];
  /** @type {(chunk: string[]) => string} */
  const worst = (chunk) => chunk.reduce((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a));

  /** @type {(event: CustomEvent<PageRow>) => void} */
  function onPage(event) {
    if (!svg.isConnected) {
      document.removeEventListener("live:page", onPage);
      return;
    }
    const { number, state } = event.detail;
    if (!severity.includes(state) || states[number - 1] === state) return;
    states[number - 1] = state;
    const bin = Math.floor((number - 1) / size);
    if (slivers[bin]) slivers[bin].dataset.state = worst(states.slice(bin * size, (bin + 1) * size));
  }
  document.addEventListener("live:page", onPage);
}
