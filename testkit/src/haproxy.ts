import { readFileSync } from 'node:fs'
import path from 'node:path'

const shippedFile = path.join(import.meta.dirname, '..', '..', 'deploy', 'haproxy', 'haproxy.cfg')

/**
 * The shipped configuration of HAProxy with replacements of all that a pattern matches. Throws if a pattern matches
 * nothing. A regular expression needs the flag `g`.
 */
export function adaptHaproxyConfiguration(
  replacements: readonly (readonly [string | RegExp, string])[],
): string {
  let text = readFileSync(shippedFile, 'utf8')
  for (const [pattern, replacement] of replacements) {
    const replacedText = text.replaceAll(pattern, replacement)
    if (replacedText === text) throw new Error(`${shippedFile} has no ${String(pattern)}`)
    text = replacedText
  }
  return text
}
