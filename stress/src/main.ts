// npm run stress [-- name ...] [--short] [--write]: every part, or those named. Ends with 1 where a promise broke.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parts } from './parts.ts'
import { section } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => parts.every((part) => part.name !== name))
if (unknown.length > 0) {
  console.error(
    `There is no stress ${unknown.join(', ')}. There are ${parts.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}
const extent = values.short ? 'short' : 'long'
const results = path.join(import.meta.dirname, '..', 'results')

for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const began = performance.now()
  const say = (line: string) => console.log(`${part.name}: ${line}`)
  const outcome = await part.run(extent, say)
  const text = section(part, extent, outcome, (performance.now() - began) / 1000)
  console.log(`\n${text}`)
  if (outcome.faults.length > 0) process.exitCode = 1
  if (!values.write) continue
  mkdirSync(results, { recursive: true })
  writeFileSync(path.join(results, `${part.name}.md`), text)
}
