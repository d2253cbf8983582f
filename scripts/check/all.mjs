import path from 'node:path'
import { gates, runGate } from './gates.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const requestedNames = process.argv.slice(2)
const unknownNames = requestedNames.filter((name) => !gates.some((gate) => gate.name === name))
if (unknownNames.length > 0) {
  console.error(
    `There is no gate ${unknownNames.join(', ')}. There are ${gates.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}

const failedNames = []
for (const gate of gates.filter(({ name }) => requestedNames.length === 0 || requestedNames.includes(name))) {
  const { ok, output, read, seconds } = await runGate(gate, root)
  const files = read > 0 ? `  ${read} files` : ''
  console.log(
    `${ok ? 'ok    ' : 'FAILED'}  ${gate.name.padEnd(11)} ${seconds.toFixed(1).padStart(5)} s${files}`,
  )
  if (ok) continue
  failedNames.push(gate.name)
  console.log(`\n${output.trim().replace(/^/gm, '  ')}\n\n  Remedy: ${gate.remedy}\n`)
}
console.log(failedNames.length === 0 ? 'Check passed.' : `Check failed: ${failedNames.join(', ')}.`)
process.exitCode = failedNames.length === 0 ? 0 : 1
