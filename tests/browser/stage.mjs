/* What a page gives its modules, as far as logic without elements asks for it. Import it before them. */
class Storage {
  #kept = new Map();
  isFull = false;

  getItem(key) {
    return this.#kept.get(key) ?? null;
  }

  setItem(key, value) {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.#kept.set(key, String(value));
  }

  removeItem(key) {
    this.#kept.delete(key);
  }

  clear() {
    this.#kept.clear();
  }
}

class Meta {}

class Page extends EventTarget {
  visibilityState = "visible";
  documentElement = { lang: "en" };

  getElementById() {
    return null;
  }

  querySelector(selector) {
    if (!selector.startsWith("meta")) return null;
    return Object.assign(new Meta(), { content: selector.includes("zone") ? "Asia/Shanghai" : "csrf" });
  }

  querySelectorAll() {
    return [];
  }
}

export const page = new Page();
export const stored = new Storage();
const events = new EventTarget();

export function heard(name, properties = {}) {
  const event = Object.assign(new Event(name, { cancelable: true }), properties);
  (name === "keydown" || name.includes(":") ? page : events).dispatchEvent(event);
  return event;
}

function give(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

give("document", page);
give("Element", Object);
give("HTMLMetaElement", Meta);
give("localStorage", stored);
give("sessionStorage", new Storage());
give("location", new URL("https://catalogue.test/tasks/1/"));
give("navigator", { onLine: true });
give("addEventListener", events.addEventListener.bind(events));

/* Waits until what was promised so far has been carried on. */
export async function settled() {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}
