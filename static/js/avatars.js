/* People as their initials on a colour that stays theirs, as the server draws them. */

/** @type {(place: Element, people: Person[]) => void} */
export function showPeople(place, people) {
  place.replaceChildren(...people.map(avatar));
}

/** @type {(person: Person) => HTMLElement} */
function avatar({ name, initials, colour, holds }) {
  const element = document.createElement("span");
  element.className = `avatar avatar-${colour}`;
  element.classList.toggle("avatar-holds", holds);
  element.title = name;
  const sign = Object.assign(document.createElement("span"), { textContent: initials });
  sign.setAttribute("aria-hidden", "true");
  element.append(sign, Object.assign(document.createElement("span"), { className: "sr", textContent: name }));
  return element;
}
