import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { copyRepository, withoutGuard } from './guards.copy.ts'
import type { Guard } from './guards.define.ts'
import { guards } from './guards.list.ts'
import { findGuardProblems } from './guards.problems.ts'
import { runTests } from './guards.runner.ts'
import type { Extent, PartResult, Part } from './part.ts'
import { createFolder } from './product.ts'

/** The guards of the short run. Their tests are fast. */
const shortGuards: readonly string[] = [
  'an encrypted secret decrypts in its own row alone',
  'no exported cell is a formula',
]

/** KARVON_STRESS_GUARDS selects guards by name, separated by commas. */
export const guardsPart: Part = {
  name: 'guards',
  description: 'A test fails for each guard that is removed from a copy of the repository.',
  async run(extent: Extent, log): Promise<PartResult> {
    const problems = guards.flatMap(findGuardProblems)
    const names = guards.map(({ name }) => name)
    const selectedNames =
      process.env['KARVON_STRESS_GUARDS']?.split(',') ?? (extent === 'long' ? names : shortGuards)
    const selectedGuards = guards.filter(({ name }) => selectedNames.includes(name))
    const unknownNames = selectedNames.filter((name) => !names.includes(name))
    await using data = await createFolder()
    await using copy = await copyRepository()
    const settings = { fsync: 'off', synchronous_commit: 'off', max_connections: '200' }
    const database = await startEmbedded({ folder: data.path, log: () => {}, settings })
    try {
      const missedNames: string[] = []
      for (const guard of selectedGuards) {
        const { test, titleFilter } = guard
        const { failed, firstFailure, hasLoadError, output } = await withoutGuard(copy.path, guard, () =>
          runTests(copy.path, database.url, [test], titleFilter),
        )
        log(
          failed > 0
            ? `detected: ${guard.name}, by ${test}: ${firstFailure}`
            : `NOT DETECTED: ${guard.name}, by ${test}`,
        )
        if (failed > 0) continue
        const reason = hasLoadError ? `could not run: ${output.slice(-300)}` : 'passes without it'
        missedNames.push(`${guard.name} (${guard.file}): ${test} ${reason}`)
      }
      const complete =
        extent === 'long' ? await runSelectedTests(copy.path, database.url, selectedGuards) : null
      if (complete !== null)
        log(`With every guard in place ${complete.passed} tests pass and ${complete.failed} fail`)
      return {
        figures: {
          guards: guards.length,
          'guards removed': selectedGuards.length,
          detected: selectedGuards.length - missedNames.length,
          'not detected': missedNames.length,
          ...(complete !== null && {
            'tests with every guard in place': complete.passed,
            'failed tests with every guard in place': complete.failed,
          }),
        },
        failures: [
          ...problems,
          ...unknownNames.map((name) => `There is no guard '${name}'`),
          ...missedNames,
          ...(complete !== null && (complete.failed > 0 || complete.hasLoadError)
            ? ['Tests fail with every guard in place']
            : []),
        ],
      }
    } finally {
      await database.stop()
    }
  },
}

/** Runs the tests of the selected guards with every guard in place. They must pass. */
const runSelectedTests = (copy: string, database: string, selectedGuards: readonly Guard[]) =>
  runTests(copy, database, [...new Set(selectedGuards.map(({ test }) => test))])
