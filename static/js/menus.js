/* Menus close on a press outside and on Esc; buttons open the dialog they name. */
export function start() {
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu-wrap[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
    const opener = event.target.closest?.("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu-wrap[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}
