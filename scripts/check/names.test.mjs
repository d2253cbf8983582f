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

test('a metaphor, a participle and a pronoun are found among the names that a module declares', () => {
  const { problems } = checkNames(
    createFolder({
      'server/src/manners.ts': `
        interface Row { rest: string; asked_by: number }
        function isTold({ theirs, other: { a = 1 } }: Row, ...[someone]: string[]) {}
        export class LeadVerdict { pulse() {} }
        const bells = 1, household = 2, metres = 3`,
      'web/src/page.test.tsx': `const openDesk = (mine) => mine.gone`,
    }),
  )
  const names = problems.map((problem) => /^(\S+): '(.+)' is no standard term/.exec(problem)?.slice(1))
  expect(names).toEqual([
    ['server/src/manners.ts', 'manners.ts'],
    ['server/src/manners.ts', 'asked_by'],
    ['server/src/manners.ts', 'isTold'],
    ['server/src/manners.ts', 'theirs'],
    ['server/src/manners.ts', 'someone'],
    ['server/src/manners.ts', 'LeadVerdict'],
    ['server/src/manners.ts', 'pulse'],
    ['web/src/page.test.tsx', 'openDesk'],
    ['web/src/page.test.tsx', 'mine'],
  ])
})

test('a participle or a pronoun is found among the local names of the product, but not among its fields', () => {
  const { problems } = checkNames(
    createFolder({
      'web/src/a.ts': `
        const saved = 1, savedRow = 2, archived = 3, these = 4
        function both({ parsed, id: seen, ...shared }, [sorted = 1, { typed = 2 }]) {}
        interface Row { logged: string }
        read().catch((thrown) => ({ linked: thrown }))`,
      'web/src/a.test.ts': `const saved = 1`,
      'e2e/src/a.ts': `const saved = 1`,
    }),
  )
  expect(problems).toEqual(
    ['saved', 'archived', 'these', 'both', 'seen', 'shared', 'sorted', 'thrown'].map(
      (name) =>
        `web/src/a.ts: '${name}' is a participle or a pronoun. Name the thing that it holds or what it does.`,
    ),
  )
})
