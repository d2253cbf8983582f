// npm run bench [-- name ...] [--write] [--seconds n] [--rounds n] [--profile folder]
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { benches, type Bench } from './benches.ts'
import { startDesk } from './desk.ts'
import { firstLoad } from './first-load.ts'
import { machine, section, verdict, type Outcome } from './report.ts'
import { alternate } from './rounds.ts'
import { tableMount } from './table-mount.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
    // Of the product's process, for `node --cpu-prof`'s readers.
    profile: { type: 'string' },
  },
})
const ratios: readonly Bench[] = [...benches, tableMount]
const all = [...ratios, firstLoad]
const unknown = positionals.filter((name) => all.every((bench) => bench.name !== name))
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. There are ${all.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}
const effort = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
const results = path.join(import.meta.dirname, '..', 'results')

const before = os.loadavg()[0] ?? 0
const profile =
  values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`]
const desk = await startDesk(profile)
try {
  const about = machine(desk.postgres.version, before)
  console.log(about)
  for (const bench of all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const { text, met } = 'run' in bench ? await bench.run(desk) : await inTurns(bench)
    console.log(text)
    if (!met) process.exitCode = 1
    if (values.write) {
      mkdirSync(results, { recursive: true })
      writeFileSync(path.join(results, `${bench.name}.md`), `${text}\n${about}`)
    }
  }
} finally {
  await desk.stop()
}

async function inTurns(bench: Bench): Promise<{ text: string; met: boolean }> {
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
