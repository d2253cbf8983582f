// npm run bench [-- name ...] [--write] [--seconds n] [--rounds n] [--leads n] [--entries n] [--profile folder]
// Without a name: all benches that share the database of offers. Benches with their own database run only by name.
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { StandaloneBench } from './standalone.ts'
import { benches, type Bench } from './benches.ts'
import { startBenchProduct, type BenchProduct } from './product.ts'
import { alertsBench } from './alerts.ts'
import { exploreBench } from './explore.ts'
import { exportBench } from './export-1m.ts'
import { firstLoad } from './first-load.ts'
import { ingestBench } from './ingest.ts'
import { interactions } from './interactions.ts'
import { ledgerBench } from './ledger.ts'
import { lighthouse } from './lighthouse.ts'
import { formatMachine, formatSection, evaluate, type Measured } from './report.ts'
import { peersBench } from './peers.ts'
import { phoneVisits } from './phone.ts'
import { reportsBench } from './reports-10m.ts'
import { restoreBench } from './restore.ts'
import { measureAlternately } from './rounds.ts'
import { idleBench } from './idle.ts'
import { scaleBench } from './scale.ts'
import { syncsBench } from './syncs-200.ts'
import { tableMounts } from './table-mount.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
    leads: { type: 'string' },
    entries: { type: 'string' },
    // Writes a CPU profile of the product's process.
    profile: { type: 'string' },
  },
})
const ratios: readonly Bench[] = [...benches, ...tableMounts]
const sharedBenches = [...ratios, firstLoad, phoneVisits, lighthouse]
const standaloneBenches: readonly StandaloneBench[] = [
  reportsBench,
  exploreBench,
  scaleBench,
  alertsBench,
  ingestBench,
  exportBench,
  syncsBench,
  ledgerBench,
  restoreBench,
  idleBench,
  interactions,
  peersBench,
]
const names = [...sharedBenches, ...standaloneBenches].map(({ name }) => name)
const unknownNames = positionals.filter((name) => !names.includes(name))
if (unknownNames.length > 0) {
  console.error(`Unknown bench: ${unknownNames.join(', ')}. The benches are ${names.join(', ')}.`)
  process.exit(1)
}
const effort = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
const extent = {
  rounds: effort.rounds,
  ...(values.leads !== undefined && { leads: Number(values.leads) }),
  ...(values.entries !== undefined && { entries: Number(values.entries) }),
}
const results = path.join(import.meta.dirname, '..', 'results')
const loadBefore = os.loadavg()[0] ?? 0
const isSelected = ({ name }: { name: string }) => positionals.includes(name)

if (positionals.length === 0 || sharedBenches.some(isSelected)) await runShared()
for (const bench of standaloneBenches.filter(isSelected)) {
  const { text, isMet, postgres } = await bench.run(extent)
  printResult(bench.name, { text, isMet }, formatMachine(postgres, loadBefore))
}

async function runShared(): Promise<void> {
  const profile =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`]
  const product = await startBenchProduct(profile)
  try {
    const machineText = formatMachine(product.postgres.version, loadBefore)
    for (const bench of sharedBenches.filter(
      (candidate) => positionals.length === 0 || isSelected(candidate),
    ))
      printResult(
        bench.name,
        'run' in bench ? await bench.run(product) : await runBench(bench, product),
        machineText,
      )
  } finally {
    await product.stop()
  }
}

/** Prints the result of a bench, and writes it with --write. */
function printResult(
  name: string,
  { text, isMet }: { text: string; isMet: boolean },
  machineText: string,
): void {
  console.log(`${text}\n${machineText}`)
  if (!isMet) process.exitCode = 1
  if (!values.write) return
  mkdirSync(results, { recursive: true })
  writeFileSync(path.join(results, `${name}.md`), `${text}\n${machineText}`)
}

async function runBench(bench: Bench, product: BenchProduct): Promise<{ text: string; isMet: boolean }> {
  const { contenders, close } = await bench.prepare(product, effort)
  try {
    const figures = await measureAlternately(contenders, effort.rounds)
    const outcome: Measured = {
      bench,
      contenders: contenders.map(({ name }, i) => ({ name, figures: figures[i] ?? [] })),
    }
    return { text: formatSection(outcome), isMet: evaluate(outcome).isMet }
  } finally {
    await close?.()
  }
}
