import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { copyRepository, without } from './guards.copy.ts'
import type { Guard } from './guards.guard.ts'
import { guards } from './guards.list.ts'
import { staleness } from './guards.stale.ts'
import { runTests } from './guards.tests.ts'
import type { Extent, Outcome, Part } from './part.ts'
import { newFolder } from './product.ts'

/** Few, and quick ones, for every run of the tests. */
const few: readonly string[] = ['a sealed secret opens at its row alone', 'no cell is a formula']

/** KARVON_STRESS_GUARDS takes out those of these names alone, separated by commas. */
export const guardsPart: Part = {
  name: 'guards',
  about:
    'Each guard of the product is taken out in turn, in a copy of the repository, and a test catches it.',
  async run(extent: Extent, say): Promise<Outcome> {
    const stale = guards.flatMap(staleness)
    const named = process.env['KARVON_STRESS_GUARDS']?.split(',')
    const chosen = guards.filter(
      ({ name }) => named?.includes(name) ?? (extent === 'long' || few.includes(name)),
    )
    await using data = await newFolder()
    await using copy = await copyRepository()
    const settings = { fsync: 'off', synchronous_commit: 'off', max_connections: '200' }
    const database = await startEmbedded({ folder: data.path, log: () => {}, settings })
    try {
      const missed: string[] = []
      for (const guard of chosen) {
        const { test, only } = guard
        const { failed, first, broken, printed } = await without(copy.path, guard, () =>
          runTests(copy.path, database.url, [test], only),
        )
        say(failed > 0 ? `caught: ${guard.name}, by ${test}: ${first}` : `MISSED: ${guard.name}, by ${test}`)
        if (failed > 0) continue
        const why = broken ? `could not run: ${printed.slice(-300)}` : 'passes without it'
        missed.push(`${guard.name} (${guard.file}): ${test} ${why}`)
      }
      const whole = extent === 'long' ? await wholeRun(copy.path, database.url, chosen) : null
      if (whole !== null) say(`With every guard in place ${whole.passed} tests pass and ${whole.failed} fail`)
      return {
        figures: {
          guards: guards.length,
          'taken out': chosen.length,
          caught: chosen.length - missed.length,
          missed: missed.length,
          ...(whole !== null && {
            'tests with every guard in place': whole.passed,
            'of them failed': whole.failed,
          }),
        },
        faults: [
          ...stale,
          ...missed,
          ...(whole !== null && (whole.failed > 0 || whole.broken)
            ? ['Tests fail with every guard in place']
            : []),
        ],
      }
    } finally {
      await database.stop()
    }
  },
}

/** The same tests pass as long as nothing is taken out. */
const wholeRun = (copy: string, database: string, chosen: readonly Guard[]) =>
  runTests(copy, database, [...new Set(chosen.map(({ test }) => test))])
