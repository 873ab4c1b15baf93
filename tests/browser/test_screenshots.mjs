/* Previews of pages, in whose place screenshots come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement } from "./elements.mjs";
import { Screenshots } from "../../static/js/screenshots.js";

const AT = "/jobs/x/pages/3/image";

class Picture extends FakeElement {
  constructor(address, name = "href") {
    super();
    this.attributes.set(name, address);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
}

/* A server that gives these answers in turn, 0 for none at all; `asked`: the addresses. */
function server(...answers) {
  const asked = [];
  const fetch = async (address) => {
    asked.push(address);
    const status = answers.shift();
    if (!status) throw new TypeError("no connection");
    return { status, ok: status < 300 };
  };
  return { asked, shots: new Screenshots({ fetch, wait: async () => {} }) };
}

test("the screenshot takes the preview's place once it is drawn", async () => {
  const { asked, shots } = server(202, 0, 202, 200);
  const picture = new Picture(`${AT}?preview`);
  await shots.loaded(picture);
  assert.equal(picture.getAttribute("href"), `${AT}?whole`);
  assert.deepEqual(asked, Array(4).fill(`${AT}?whole`));
});

test("images of all kinds that show one page ask once", async () => {
  const { asked, shots } = server(202, 200);
  const pictures = [new Picture(`${AT}?preview`), new Picture(`${AT}?again=12&preview`, "src")];
  await Promise.all(pictures.map((picture) => shots.loaded(picture)));
  assert.deepEqual([pictures[0].getAttribute("href"), pictures[1].getAttribute("src")], [`${AT}?whole`, `${AT}?whole`]);
  assert.equal(asked.length, 2);
});

test("where there will be none the preview stays, and is asked about again when it is looked at again", async () => {
  const { asked, shots } = server(404, 200);
  const picture = new Picture(`${AT}?preview`);
  await shots.loaded(picture);
  assert.equal(picture.getAttribute("href"), `${AT}?preview`);
  await shots.loaded(picture);
  assert.equal(picture.getAttribute("href"), `${AT}?whole`);
  assert.equal(asked.length, 2);
});

test("an image that shows another page by then is left alone", async () => {
  const { shots } = server(202, 200);
  const picture = new Picture(`${AT}?preview`);
  const done = shots.loaded(picture);
  picture.setAttribute("href", "/jobs/x/pages/4/image");
  await done;
  assert.equal(picture.getAttribute("href"), "/jobs/x/pages/4/image");
});

test("nothing is asked of other pictures", async () => {
  const { asked, shots } = server();
  for (const address of [AT, `${AT}?whole`, "", "/static/x.png?v=preview2"]) await shots.loaded(new Picture(address));
  await shots.loaded(null);
  assert.deepEqual(asked, []);
});
