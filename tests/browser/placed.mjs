/* The module behind needs a page when it is loaded. */
import "./stage.mjs";

export const { placed } = await import("../../static/js/bench_task.js");
