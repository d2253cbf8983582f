// npm run bench [-- name ...] [--write] [--seconds n] [--rounds n] [--leads n] [--profile folder]
// Without a name: all that run on the desk of offers. Those that bring a database of their own run by their names.
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Alone } from './alone.ts'
import { benches, type Bench } from './benches.ts'
import { startDesk, type Desk } from './desk.ts'
import { exportBench } from './export-1m.ts'
import { firstLoad } from './first-load.ts'
import { intakeBench } from './intake.ts'
import { machine, section, verdict, type Outcome } from './report.ts'
import { reportsBench } from './reports-10m.ts'
import { alternate } from './rounds.ts'
import { syncsBench } from './syncs-200.ts'
import { tableMount } from './table-mount.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
    leads: { type: 'string' },
    // Of the product's process, for `node --cpu-prof`'s readers.
    profile: { type: 'string' },
  },
})
const ratios: readonly Bench[] = [...benches, tableMount]
const shared = [...ratios, firstLoad]
const alone: readonly Alone[] = [reportsBench, intakeBench, exportBench, syncsBench]
const names = [...shared, ...alone].map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are ${names.join(', ')}.`)
  process.exit(1)
}
const effort = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
const extent = { rounds: effort.rounds, ...(values.leads !== undefined && { leads: Number(values.leads) }) }
const results = path.join(import.meta.dirname, '..', 'results')
const before = os.loadavg()[0] ?? 0
const asked = ({ name }: { name: string }) => positionals.includes(name)

if (positionals.length === 0 || shared.some(asked)) await runShared()
for (const bench of alone.filter(asked)) {
  const { text, met, postgres } = await bench.run(extent)
  tell(bench.name, { text, met }, machine(postgres, before))
}

async function runShared(): Promise<void> {
  const profile =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`]
  const desk = await startDesk(profile)
  try {
    const about = machine(desk.postgres.version, before)
    for (const bench of shared.filter((each) => positionals.length === 0 || asked(each)))
      tell(bench.name, 'run' in bench ? await bench.run(desk) : await inTurns(bench, desk), about)
  } finally {
    await desk.stop()
  }
}

function tell(name: string, { text, met }: { text: string; met: boolean }, about: string): void {
  console.log(`${text}\n${about}`)
  if (!met) process.exitCode = 1
  if (!values.write) return
  mkdirSync(results, { recursive: true })
  writeFileSync(path.join(results, `${name}.md`), `${text}\n${about}`)
}

async function inTurns(bench: Bench, desk: Desk): Promise<{ text: string; met: boolean }> {
  const { contenders, close } = await bench.prepare(desk, effort)
  try {
    const figures = await alternate(contenders, effort.rounds)
    const outcome: Outcome = {
      bench,
      contenders: contenders.map(({ name }, i) => ({ name, figures: figures[i] ?? [] })),
    }
    return { text: section(outcome), met: verdict(outcome).met }
  } finally {
    await close?.()
  }
}
