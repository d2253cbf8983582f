import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkAsvs } from './asvs.mjs'
import { createFolder } from './fixture.mjs'

const ownPage = readFileSync(new URL('../../docs/security/asvs.md', import.meta.url), 'utf8')

/** The project's own page without the tests that it names, with `row` for V7.3.1. */
const problems = (row) => {
  const lines = ownPage.split('\n').map((line) => {
    const [, id, level, state, where] = line.split('|').map((cell) => cell.trim())
    if (!/^V\d/.test(id ?? '')) return line
    return id === 'V7.3.1' ? row : `| ${id} | ${level} | ${state} | ${where || 'here'} |  |`
  })
  return checkAsvs(
    createFolder({
      'docs/security/asvs.md': lines.join('\n'),
      'server/src/a.test.ts': `test('ends after seven days', run)`,
    }),
  ).problems
}

test('the check of the ASVS page accepts a page with every requirement and existing tests', () => {
  expect(problems('| V7.3.1 | 2 | met | 7 days | server/src/a.test.ts › ends after seven days |')).toEqual([])
})

test.each([
  ['a missing test', '| V7.3.1 | 2 | met | x | server/src/a.test.ts › ends |', "has no test 'ends'"],
  [
    'a missing file',
    '| V7.3.1 | 2 | met | x | server/src/b.test.ts › ends |',
    'server/src/b.test.ts does not exist',
  ],
  ['another state', '| V7.3.1 | 2 | fine | x |  |', "'fine' is no state"],
  ['neither a place nor a reason', '| V7.3.1 | 2 | not met |  |  |', 'has neither a place nor a reason'],
  ['a missing number', '', 'V7 has 17 of its 18 requirements'],
  ['a number twice', '| V7.3.2 | 2 | met | x |  |', 'V7.3.2 is in line'],
])('the check of the ASVS page refuses a page with %s', (_, row, problem) => {
  expect(problems(row).join('\n')).toContain(problem)
})

test('the check of the ASVS page refuses a missing page', () => {
  expect(checkAsvs(createFolder({})).problems).toHaveLength(1)
})
