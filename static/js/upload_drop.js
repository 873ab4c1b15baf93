/* The PDFs in what was dropped: single files, several, and folders down to their leaves. */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  const files = [];
  for (const entry of entries) await collect(entry, files, true);
  return files;
}

// A file that somebody dropped by itself is shown with its refusal; what lies in a folder is taken if it is a PDF.
async function collect(entry, files, isChosen) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => void entry.file(done, failed)).catch(() => null);
    if (file && (isChosen || /\.pdf$/i.test(file.name))) files.push(file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, failed) => void reader.readEntries(done, failed)).catch(() => []);
    if (!some.length) return;
    for (const child of some) await collect(child, files, false);
  }
}
