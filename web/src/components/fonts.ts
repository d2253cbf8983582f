/** Milliseconds after which a slow line draws the page in another font first. */
const patience = 3000

/**
 * Resolves once the page's own font is there. A page that was drawn in another one before would jump: other widths
 * break lines elsewhere.
 */
export async function hasFonts(): Promise<void> {
  const late = new Promise((resolve) => {
    setTimeout(resolve, patience)
  })
  // One letter of each alphabet: each has a file of its own.
  const loaded = document.fonts
    .load('1em "Inter Variable"', String.fromCodePoint(0x41, 0x44f))
    .catch(() => undefined)
  await Promise.race([loaded, late])
}
