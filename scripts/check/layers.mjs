// Checks that imports go from upper to lower layers, and that SQL is in *.queries.ts. Prints the number of modules. The
// check fails if it finds too few modules.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runAsGate } from './gate.mjs'
import { edgeFiles, edgeProblems, importProblem, nameProblem, statementProblem } from './layers.rules.mjs'
import { readModules } from './modules.mjs'

/** With fewer modules, the reader of modules must be broken. */
const minModules = { contract: 20, server: 20, web: 20 }

/** @returns {{problems: string[], modules: number, imports: number}} */
export function checkLayers(root, minCounts = minModules) {
  const modules = readModules(root)
  const edges = readEdges(root)
  const imports = modules.flatMap((module) =>
    module.imports.map((entry) => ({ from: module.file, ...entry })),
  )
  const problems = [
    ...modules.flatMap(({ file }) => formatProblem(file, nameProblem(file))),
    ...modules.flatMap(({ file, statements }) =>
      statements.flatMap((line) => formatProblem(`${file}:${line}`, statementProblem(file))),
    ),
    ...Object.entries(edges).flatMap(([name, declaredEdges]) =>
      edgeProblems(declaredEdges, listDomains(modules, edgeFiles[name])).map(
        (problem) => `${edgeFiles[name]}: ${problem}.`,
      ),
    ),
    ...imports.flatMap((entry) =>
      formatProblem(`${entry.from}:${entry.line}`, importProblem(entry.from, entry, edges)),
    ),
  ]
  for (const [name, count] of Object.entries(minCounts)) {
    const ownModules = modules.filter(({ file }) => file.startsWith(`${name}/src/`))
    if (ownModules.length < count || !ownModules.some((module) => module.imports.length > 0))
      problems.push(
        `${name}/src: only ${ownModules.length} modules were found, and at least ${count} exist. Correct scripts/check/modules.mjs`,
      )
  }
  return { problems, modules: modules.length, imports: imports.length }
}

/** The domains that each domain may import, by package. */
function readEdges(root) {
  const foundFiles = Object.entries(edgeFiles).filter(([, file]) => existsSync(path.join(root, file)))
  return Object.fromEntries(
    foundFiles.map(([name, file]) => [name, JSON.parse(readFileSync(path.join(root, file), 'utf8'))]),
  )
}

const listDomains = (modules, edgeFile) => {
  const folder = `${path.posix.dirname(edgeFile)}/`
  const inside = modules.filter(({ file }) => file.startsWith(folder))
  return [...new Set(inside.map(({ file }) => file.slice(folder.length).split('/')[0]))]
}

const formatProblem = (where, problem) => (problem === null ? [] : [`${where}: ${problem}.`])

runAsGate(import.meta, (root) => {
  const { problems, modules, imports } = checkLayers(root)
  return { problems, summary: `${modules} modules, ${imports} imports` }
})
