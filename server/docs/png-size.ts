/** Width and height in pixels, as the header says (PNG, §11.2.1: IHDR is the first chunk; big-endian at 16 and 20). */
export function readPngSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A file that is no PNG is not laid out; the browser shows that it is broken.
  if (bytes.byteLength < 24 || view.getUint32(0) !== 0x89504e47) return { width: 0, height: 0 };
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
