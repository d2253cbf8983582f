// Checks that every module is used by an entry point. knip cannot check packages that export all of src.
import { projectFiles } from '../files.mjs'
import { runAsGate } from './gate.mjs'
import { locateModule } from './layers.rules.mjs'
import { readModules } from './modules.mjs'

/** The entry points: main files, the registry that server and web read, tests, and files that tools load. */
const isEntryPoint = (file) =>
  locateModule(file).test || /^[^/]+\/src\/(?:fakes\/main\.ts|main\.tsx?|cli\.ts|registry\.ts)$/.test(file)

/** @returns {{problems: string[], modules: number}} */
export function checkUnusedModules(root) {
  const modules = readModules(root)
  const imports = new Map(modules.map((module) => [module.file, module.imports.map(({ to }) => to)]))
  const usedFiles = new Set()
  const waiting = modules.map(({ file }) => file).filter(isEntryPoint)
  while (waiting.length > 0) {
    const file = waiting.pop()
    if (usedFiles.has(file) || !imports.has(file)) continue
    usedFiles.add(file)
    waiting.push(...imports.get(file))
  }
  // A style sheet has no imports. A module that imports it uses it.
  const sheets = projectFiles(root).filter((file) => /^[^/]+\/src\/.+\.css$/.test(file))
  const importedFiles = new Set([...usedFiles].flatMap((file) => imports.get(file)))
  const unusedFiles = [
    ...modules.filter(({ file }) => !usedFiles.has(file)),
    ...sheets.filter((file) => !importedFiles.has(file)).map((file) => ({ file })),
  ]
  const problems = unusedFiles.map(
    ({ file }) => `${file}: no entry point uses this file. Import or delete it.`,
  )
  return { problems, modules: modules.length }
}

runAsGate(import.meta, (root) => {
  const { problems, modules } = checkUnusedModules(root)
  return { problems, summary: `${modules} modules` }
})
