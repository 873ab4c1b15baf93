/* What can be known of a file before a byte is sent: size, signature, the hash of its head. */

const SIGNATURE_BYTES = 1024;
const HEAD_BYTES = 1048576;

/** The word id of the reason for which the file is not sent, or null.
   @type {(file: File, maxBytes: number) => Promise<string | null>} */
export async function refusalOf(file, maxBytes) {
  if (file.size === 0) return "upload.empty";
  if (maxBytes && file.size > maxBytes) return "upload.too_large";
  try {
    const start = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
    return String.fromCharCode(...start).includes("%PDF-") ? null : "upload.not_pdf";
  } catch {
    return "upload.unreadable";
  }
}

/** SHA-256 of the first MiB in hex; empty where the page is not in a secure context.
   @type {(file: File) => Promise<string>} */
export async function headHash(file) {
  if (!globalThis.crypto?.subtle) return "";
  const digest = await crypto.subtle.digest("SHA-256", await file.slice(0, HEAD_BYTES).arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {() => string} */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
