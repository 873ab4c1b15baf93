/* The PDFs in what was dropped: single files, several, and folders down to their leaves. */

/** @type {(transfer: DataTransfer) => Promise<File[]>} */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.length) return [...transfer.files];
  /** @type {File[]} */
  const files = [];
  for (const entry of entries) await collect(entry, files, true);
  return files;
}

// A file that somebody dropped by itself is shown with its refusal; what lies in a folder is taken if it is a PDF.
/** @type {(entry: FileSystemEntry, files: File[], isChosen: boolean) => Promise<void>} */
async function collect(entry, files, isChosen) {
  if (isFile(entry)) {
    const file = await new Promise((/** @type {(file: File) => void} */ done, failed) => void entry.file(done, failed)).catch(() => null);
    if (file && (isChosen || /\.pdf$/i.test(file.name))) files.push(file);
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    const some = await new Promise((/** @type {(entries: FileSystemEntry[]) => void} */ done, failed) => void reader.readEntries(done, failed)).catch(() => []);
    if (!some.length) return;
    for (const child of some) await collect(child, files, false);
  }
}

/** @type {(entry: FileSystemEntry) => entry is FileSystemFileEntry} */
function isFile(entry) {
  return entry.isFile;
}
