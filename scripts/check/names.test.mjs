import { expect, test } from 'vitest'
import { createFolder } from './fixture.mjs'
import { checkNames } from './names.mjs'

test('a name that two modules of a workspace export is found with both files', () => {
  const { problems, names } = checkNames(
    createFolder({
      'server/src/a.ts': `export const limit = 1\nexport type Row = string\nconst own = 2\n`,
      'server/src/b.ts': `export function limit() {}\n`,
      'server/src/c.ts': `export { limit } from './a.ts'\nconst own = 3\n`,
      'server/src/c.test.ts': `export const limit = 4\n`,
      'web/src/a.tsx': `export const limit = 5\n`,
    }),
  )
  expect(problems).toEqual([
    'server: limit is exported by server/src/a.ts and server/src/b.ts. Give each meaning its own name.',
  ])
  expect(names).toBe(3)
})
