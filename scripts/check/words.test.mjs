import { expect, test } from 'vitest'
import { createFolder } from './fixture.mjs'
import { checkWords } from './words.mjs'

test.each([
  ['server/src/a.ts', `read('../shared/data')`],
  ['server/src/a.ts', `read('/home/somebody/data')`],
  ['docs/a.md', 'lies in /home/somebody/karvon'],
  ['docs/a.md', 'lies in C:\\Users\\somebody'],
  ['package-lock.json', '"resolved": "https://example.org/a.tgz"'],
  ['.npmrc', 'registry=https://registry.npmjs.org/'],
  ['web/src/a.tsx', '// TODO later'],
  ['docs/a.md', 'as Issue 3 asks'],
  ['e2e/src/a.ts', `read('/mnt/other')`],
])('the check of words refuses in %s: %s', (file, text) => {
  const { problems } = checkWords(createFolder({ [file]: `first\n${text}\n` }))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(new RegExp(`^${file}:2: .+: .+\\.$`))
})

test.each([
  ['server/src/leads/leads.test.ts', `read('../../../../shared/data/olist')`],
  ['e2e/tests/a.ts', `read('../shared/data/olist')`],
  ['docs/a.md', 'under root’s own home; a shared folder; workers/work/'],
  ['server/src/a.ts', `import '../lib/shared.ts'`],
])('the check of words accepts in %s: %s', (file, text) => {
  expect(checkWords(createFolder({ [file]: text }))).toEqual({ problems: [], read: 1 })
})
