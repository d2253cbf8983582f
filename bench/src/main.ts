// npm run bench [-- name ...] [--write] [--seconds n] [--rounds n] [--profile folder]
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import { startDesk } from './desk.ts'
import { machine, section, verdict, type Outcome } from './report.ts'
import { alternate } from './rounds.ts'

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
const unknown = positionals.filter((name) => benches.every((bench) => bench.name !== name))
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. There are ${benches.map(({ name }) => name).join(', ')}.`,
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
  for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const contenders = await bench.contenders(desk, effort)
    const figures = await alternate(contenders, effort.rounds)
    const outcome: Outcome = {
      bench,
      contenders: contenders.map(({ name }, i) => ({ name, figures: figures[i] ?? [] })),
    }
    console.log(section(outcome))
    if (!verdict(outcome).met) process.exitCode = 1
    if (values.write) {
      mkdirSync(results, { recursive: true })
      writeFileSync(path.join(results, `${bench.name}.md`), `${section(outcome)}\n${about}`)
    }
  }
} finally {
  await desk.stop()
}
