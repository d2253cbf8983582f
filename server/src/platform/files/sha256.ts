/** Returns a SHA-256 in hexadecimal. Throws for another text, so that no other text becomes a path or a key. */
export function requireSha256(text: string): string {
  if (!/^[\da-f]{64}$/.test(text)) throw new Error(`${text} is no SHA-256`)
  return text
}
