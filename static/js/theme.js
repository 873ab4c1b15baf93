/* Light or dark as the reader last chose; a cookie, so that the server's first byte already knows. */

const YEAR_S = 31536000;

/** @type {(button: HTMLElement) => void} */
export function start(button) {
  const root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.cookie = `theme=${root.dataset.theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
  });
}
