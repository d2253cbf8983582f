// Checks that each exported name has one meaning in its workspace. A name that two modules export has two meanings.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { runAsGate } from './gate.mjs'
import { readModules } from './modules.mjs'

const isTest = (file) => /\.(?:test|spec)\.tsx?$/.test(file)

/** Each set of fixtures of the end-to-end tests is named `test`, which is Playwright's convention. */
const isFixture = (file, name) => file.startsWith('e2e/') && name === 'test'

/** The names that a module declares and exports. A re-export has the same meaning. */
function listExports(root, file) {
  const { module } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest, exportName }) => moduleRequest === null && exportName.name !== null)
    .map(({ exportName }) => exportName.name)
}

/** @returns {{problems: string[], names: number}} */
export function checkNames(root) {
  const files = new Map()
  for (const { file } of readModules(root)) {
    if (isTest(file)) continue
    const [workspace] = file.split('/')
    for (const name of new Set(listExports(root, file))) {
      if (isFixture(file, name)) continue
      const key = `${workspace} ${name}`
      files.set(key, [...(files.get(key) ?? []), file])
    }
  }
  const problems = [...files]
    .filter(([, of]) => of.length > 1)
    .map(
      ([key, of]) =>
        `${key.replace(' ', ': ')} is exported by ${of.join(' and ')}. Give each meaning its own name.`,
    )
  return { problems, names: files.size }
}

runAsGate(import.meta, (root) => {
  const { problems, names } = checkNames(root)
  return { problems, summary: `${names} names` }
})
