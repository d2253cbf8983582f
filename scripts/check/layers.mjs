// Do all imports go the one way, and is SQL in *.queries.ts? Prints how many modules it read, so that reading none
// cannot pass.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runAsGate } from './gate.mjs'
import { edgeFiles, edgeProblems, importProblem, nameProblem, statementProblem } from './layers.rules.mjs'
import { readModules } from './modules.mjs'

/** Fewer modules than this means that the reader is broken, not that the product shrank. */
const plausible = { contract: 20, server: 20, web: 20 }

/** @returns {{problems: string[], modules: number, imports: number}} */
export function checkLayers(root, least = plausible) {
  const modules = readModules(root)
  const edges = readEdges(root)
  const imports = modules.flatMap((each) => each.imports.map((one) => ({ from: each.file, ...one })))
  const problems = [
    ...modules.flatMap(({ file }) => lineOf(file, nameProblem(file))),
    ...modules.flatMap(({ file, statements }) =>
      statements.flatMap((line) => lineOf(`${file}:${line}`, statementProblem(file))),
    ),
    ...Object.entries(edges).flatMap(([name, declared]) =>
      edgeProblems(declared, domainsOf(modules, edgeFiles[name])).map(
        (problem) => `${edgeFiles[name]}: ${problem}.`,
      ),
    ),
    ...imports.flatMap((one) => lineOf(`${one.from}:${one.line}`, importProblem(one.from, one, edges))),
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

/** By package, the domains that each domain may import. */
function readEdges(root) {
  const found = Object.entries(edgeFiles).filter(([, file]) => existsSync(path.join(root, file)))
  return Object.fromEntries(
    found.map(([name, file]) => [name, JSON.parse(readFileSync(path.join(root, file), 'utf8'))]),
  )
}

const domainsOf = (modules, edgeFile) => {
  const folder = `${path.posix.dirname(edgeFile)}/`
  const inside = modules.filter(({ file }) => file.startsWith(folder))
  return [...new Set(inside.map(({ file }) => file.slice(folder.length).split('/')[0]))]
}

const lineOf = (where, problem) => (problem === null ? [] : [`${where}: ${problem}.`])

runAsGate(import.meta, (root) => {
  const { problems, modules, imports } = checkLayers(root)
  return { problems, summary: `${modules} modules, ${imports} imports` }
})
