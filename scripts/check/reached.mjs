// Is every module used by something that runs? knip cannot tell for packages that export all of src.
import { projectFiles } from './files.mjs'
import { runAsGate } from './gate.mjs'
import { placeOf } from './layers.rules.mjs'
import { readModules } from './modules.mjs'

/** What starts by itself: main files, the registry that server and web read, tests, and what tools load. */
const isStart = (file) =>
  placeOf(file).test || /^[^/]+\/src\/(?:fakes\/main\.ts|main\.tsx?|cli\.ts|registry\.ts)$/.test(file)

/** @returns {{problems: string[], modules: number}} */
export function checkReached(root) {
  const modules = readModules(root)
  const imports = new Map(modules.map((each) => [each.file, each.imports.map(({ to }) => to)]))
  const reached = new Set()
  const waiting = modules.map(({ file }) => file).filter(isStart)
  while (waiting.length > 0) {
    const file = waiting.pop()
    if (reached.has(file) || !imports.has(file)) continue
    reached.add(file)
    waiting.push(...imports.get(file))
  }
  // Style sheets do not import: naming them is reaching them.
  const sheets = projectFiles(root).filter((file) => /^[^/]+\/src\/.+\.css$/.test(file))
  const named = new Set([...reached].flatMap((file) => imports.get(file)))
  const unused = [
    ...modules.filter(({ file }) => !reached.has(file)),
    ...sheets.filter((file) => !named.has(file)).map((file) => ({ file })),
  ]
  const problems = unused.map(
    ({ file }) => `${file}: nothing that runs imports this. Import it where it belongs, or delete it.`,
  )
  return { problems, modules: modules.length }
}

runAsGate(import.meta, (root) => {
  const { problems, modules } = checkReached(root)
  return { problems, summary: `${modules} modules` }
})
