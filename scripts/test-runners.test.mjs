import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './install.mjs'
import { readSpeed, testFiles } from './test-files.mjs'
import { runners } from './test-runners.mjs'

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folders = ['scripts', ...workspaces]

test('each workspace with test files has a runner at their speed', () => {
  for (const files of Object.keys(runners))
    for (const folder of folders.filter((name) => testFiles(join(root, name), { files }).length > 0)) {
      const folderRunners = runners[files].filter(
        (runner) => runner.folder === folder && runner.except === undefined,
      )
      expect(
        folderRunners.map((runner) => runner.files ?? 'quick'),
        `${folder}, ${files}`,
      ).toContain(files)
    }
})

test('each runner finds test files and has a report of its own', () => {
  for (const list of Object.values(runners)) {
    for (const runner of list)
      expect(testFiles(join(root, runner.folder), runner), runner.name).not.toEqual([])
    const reports = list.map(({ name }) => name.replaceAll(/\W+/g, '-'))
    expect(new Set(reports).size).toBe(list.length)
  }
})

test('each pattern of files that a run includes or leaves out matches a file', () => {
  for (const { name, folder, only = [], except = [] } of Object.values(runners).flat()) {
    const paths = testFiles(join(root, folder), { files: 'all' })
    for (const pattern of [...only, ...except])
      expect(
        paths.filter((path) => pattern.test(path)),
        `${name}: ${pattern}`,
      ).not.toEqual([])
  }
})

test('the name of a test file says which run has it', () => {
  for (const name of ['a.kill.test.ts', 'd.full.spec.ts', 'e.full.test.mjs'])
    expect(readSpeed(name), name).toBe('full')
  for (const name of ['kill.test.ts', 'full.spec.ts', 'a.killed.test.ts', 'a.full.ts', 'release.test.ts'])
    expect(readSpeed(name), name).toBe('quick')
  for (const name of ['a.release.test.mjs', 'b/c.memory.test.ts'])
    expect(readSpeed(name), name).toBe('release')
})

test('no test configuration repeats a failed test', () => {
  const repeats = /\b(?:retry|retries)\b['"]?\s*:\s*[\d{]/
  const files = folders.flatMap((folder) => {
    const configs = readdirSync(join(root, folder)).filter((name) =>
      /^(?:vitest|playwright)\.config\./.test(name),
    )
    const tests = Object.keys(runners).flatMap((speed) => testFiles(join(root, folder), { files: speed }))
    return [...configs, ...tests].map((path) => join(root, folder, path))
  })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => repeats.test(readFileSync(file, 'utf8')))).toEqual([])
})
