// Do all imports go the one way? Prints how many modules it read, so that reading none cannot pass.
import { runAsGate } from './gate.mjs'
import { importProblem, nameProblem } from './layers.rules.mjs'
import { readModules } from './modules.mjs'

/** Fewer modules than this means that the reader is broken, not that the product shrank. */
const plausible = { contract: 20, server: 20, web: 20 }

/** @returns {{problems: string[], modules: number, imports: number}} */
export function checkLayers(root, least = plausible) {
  const modules = readModules(root)
  const imports = modules.flatMap((each) => each.imports.map((one) => ({ from: each.file, ...one })))
  const problems = [
    ...modules.flatMap(({ file }) => lineOf(file, nameProblem(file))),
    ...imports.flatMap((one) => lineOf(`${one.from}:${one.line}`, importProblem(one.from, one))),
  ]
  for (const [name, count] of Object.entries(least)) {
    const own = modules.filter(({ file }) => file.startsWith(`${name}/src/`))
    if (own.length < count || !own.some((each) => each.imports.length > 0))
      problems.push(
        `${name}/src: only ${own.length} modules were read, at least ${count} are there. Mend scripts/check/modules.mjs`,
      )
  }
  return { problems, modules: modules.length, imports: imports.length }
}

const lineOf = (where, problem) => (problem === null ? [] : [`${where}: ${problem}.`])

runAsGate(import.meta, (root) => {
  const { problems, modules, imports } = checkLayers(root)
  return { problems, summary: `${modules} modules, ${imports} imports` }
})
