import path from 'node:path'
import { gates, runGate } from './gates.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !gates.some((gate) => gate.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no gate ${unknown.join(', ')}. There are ${gates.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}

const failed = []
for (const gate of gates.filter(({ name }) => requested.length === 0 || requested.includes(name))) {
  const { ok, output, read, seconds } = await runGate(gate, root)
  const files = read > 0 ? `  ${read} files` : ''
  console.log(
    `${ok ? 'ok    ' : 'FAILED'}  ${gate.name.padEnd(11)} ${seconds.toFixed(1).padStart(5)} s${files}`,
  )
  if (ok) continue
  failed.push(gate.name)
  console.log(`\n${output.trim().replace(/^/gm, '  ')}\n\n  Remedy: ${gate.remedy}\n`)
}
console.log(failed.length === 0 ? 'Check passed.' : `Check failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
