// npm run stress [-- name ...] [--short] [--write]: runs all parts, or the named ones. Exits with 1 if a promise is broken.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parts } from './parts.ts'
import { formatSection } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const unknownNames = positionals.filter((name) => parts.every((part) => part.name !== name))
if (unknownNames.length > 0) {
  console.error(
    `Unknown part: ${unknownNames.join(', ')}. The parts are ${parts.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}
const extent = values.short ? 'short' : 'long'
const results = path.join(import.meta.dirname, '..', 'results')

for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const startedAt = performance.now()
  const log = (line: string) => console.log(`${part.name}: ${line}`)
  if (part.missing !== undefined) {
    log(`skipped: ${part.missing}`)
    continue
  }
  const result = await part.run(extent, log)
  const text = formatSection(part, extent, result, (performance.now() - startedAt) / 1000)
  console.log(`\n${text}`)
  if (result.failures.length > 0) process.exitCode = 1
  if (!values.write) continue
  mkdirSync(results, { recursive: true })
  writeFileSync(path.join(results, `${part.name}.md`), text)
}
