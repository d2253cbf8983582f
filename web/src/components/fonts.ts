/** Milliseconds to wait for the font. Then the page is drawn in a fallback font. */
const fontTimeoutMs = 3000

/**
 * Resolves when the font is loaded. A page that is first drawn in another font would move, because its lines
 * break elsewhere.
 */
export async function loadFonts(): Promise<void> {
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, fontTimeoutMs)
  })
  // One letter of each alphabet: each alphabet has its own font file.
  const fontLoad = document.fonts
    .load('1em "Inter Variable"', String.fromCodePoint(0x41, 0x44f))
    .catch(() => undefined)
  await Promise.race([fontLoad, timeout])
}
