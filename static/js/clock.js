/* Times as the server writes them: one clock and one zone, that of the installation, whatever this machine's own is. */

const meta = document.querySelector("meta[name=zone]");
const zone = (meta instanceof HTMLMetaElement && meta.content) || "UTC";
const parts = new Intl.DateTimeFormat("en-GB", {
  timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "shortOffset",
});

/** @type {(moment: Date | string | undefined) => Record<string, string> | null} */
function split(moment) {
  const at = moment ? new Date(moment) : null;
  if (!at || Number.isNaN(at.getTime())) return null;
  return Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** 14:03:05; empty where there is no such moment.
   @type {(moment: Date | string | undefined) => string} */
export function clock(moment) {
  const at = split(moment);
  return at ? `${at.hour}:${at.minute}:${at.second}` : "";
}

/** 2026-11-29 14:03
   @type {(moment: Date | string | undefined) => string} */
export function dayAndClock(moment) {
  const at = split(moment);
  return at ? `${at.year}-${at.month}-${at.day} ${at.hour}:${at.minute}` : "";
}

/** What a time element says of itself: 2026-11-29 14:03:05 UTC+8
   @type {(moment: Date | string | undefined) => string} */
export function whole(moment) {
  const at = split(moment);
  return at ? `${at.year}-${at.month}-${at.day} ${at.hour}:${at.minute}:${at.second} ${at.timeZoneName.replace("GMT", "UTC").replace(/\+0$/, "")}` : "";
}
