import { expect, test } from 'vitest'
import { createFolder } from './fixture.mjs'
import { checkLayers } from './layers.mjs'

const sound = {
  'contract/src/lib/page.ts': `import { Type } from 'typebox'\nexport const a = Type`,
  'contract/src/offers/offers.ts': `import { a } from '../lib/page.ts'\nexport const offers = a`,
  'contract/src/streams/streams.ts': `export const streams = 1`,
  'contract/src/registry.ts': `export * from './offers/offers.ts'`,
  'server/src/config.ts': `export const config = 1`,
  'server/src/platform/database/pool.ts': `import type { config } from '../../config.ts'\nexport type P = typeof config`,
  'server/src/integrations/telegram/telegram.ts': `import '../../platform/database/pool.ts'\nexport const t = 1`,
  'server/src/resources/crud.ts': `import '../platform/database/pool.ts'\nimport '../integrations/telegram/telegram.ts'\nexport const crud = 1`,
  'server/src/domains/domains.json': `{ "offers": ["leads"] }`,
  'server/src/domains/leads/leads.ts': `export const leads = 1`,
  'server/src/domains/offers/offers.routes.ts': `import { crud } from '../../resources/crud.ts'\nimport './offers.queries.ts'\nimport '../leads/leads.ts'\nexport const o = crud`,
  'server/src/domains/offers/offers.queries.ts': `import { offers } from '@karvon/contract/offers/offers.ts'\nexport const sql = offers`,
  'server/src/domains/streams/streams.routes.ts': `export const s = 1`,
  'server/src/app.ts': `import './domains/offers/offers.routes.ts'\nimport './domains/streams/streams.routes.ts'`,
  'server/src/main.ts': `import './app.ts'`,
  'server/test/database.ts': `export const database = 1`,
  'web/src/lib/http.ts': `export const http = 1`,
  'web/src/components/table/table.tsx': `import '@karvon/contract/lib/page.ts'\nimport './table.module.css'\nimport '../../lib/http.ts'`,
  'web/src/components/table/table.module.css': '',
  'web/src/features/offers/offers.page.tsx': `import '../../lib/http.ts'\nimport '@karvon/contract/streams/streams.ts'`,
  'web/src/features/streams/streams.page.tsx': `export const page = 1`,
  'web/src/app/router.tsx': `export const lazy = () => import('../features/offers/offers.page.tsx')`,
  'web/src/main.tsx': `import './app/router.tsx'`,
  'testkit/src/telegram.ts': `import 'fastify'\nexport const telegram = 1`,
  // Tests import what they need.
  'server/src/domains/offers/offers.test.ts': `import '../../app.ts'\nimport '../streams/streams.routes.ts'\nimport '../../../test/database.ts'\nimport '@karvon/testkit/telegram.ts'`,
  'bench/src/main.ts': `import '@karvon/server/app.ts'`,
}
const minCounts = { contract: 4, server: 9, web: 6 }

/** The problem that results from `text` in `file`. */
function findProblem(file, text) {
  const { problems } = checkLayers(createFolder({ ...sound, [file]: text }), minCounts)
  expect(problems).toHaveLength(1)
  return problems[0]
}

test('the check of layers accepts a correct tree and counts its modules', () => {
  const { problems, modules, imports } = checkLayers(createFolder(sound), minCounts)
  expect(problems).toEqual([])
  expect(modules).toBe(Object.keys(sound).length - 2)
  expect(imports).toBe(27)
})

const queries = 'server/src/domains/offers/offers.queries.ts'
const page = 'web/src/features/offers/offers.page.tsx'

test.each([
  ['contract/src/lib/call.ts', `import '../offers/offers.ts'`, 'lib is below domain'],
  ['contract/src/offers/offers.ts', `import '../streams/streams.ts'`, 'combine the two in registry.ts'],
  ['contract/src/offers/offers.ts', `import '../registry.ts'`, 'domain is below registry'],
  ['contract/src/offers/offers.ts', `import fs from 'node:fs'`, 'typebox alone'],
  [
    'contract/src/offers/offers.ts',
    `import '../../../server/src/platform/database/pool.ts'`,
    'Declare the shape in contract',
  ],
  ['server/src/config.ts', `import './platform/database/pool.ts'`, 'config is below platform'],
  ['server/src/platform/database/pool.ts', `import '../../resources/crud.ts'`, 'platform is below resources'],
  [
    'server/src/platform/database/pool.ts',
    `import '../../integrations/telegram/telegram.ts'`,
    'platform is below integrations',
  ],
  [
    'server/src/resources/crud.ts',
    `import '../domains/offers/offers.queries.ts'`,
    'resources is below domain',
  ],
  [queries, `import '../streams/streams.routes.ts'`, 'Declare the edge in server/src/domains/domains.json'],
  [queries, `import '../../app.ts'`, 'domain is below app'],
  ['server/src/app.ts', `import './main.ts'`, 'app is below main'],
  ['server/src/app.ts', `import '@karvon/web/components/table/table.tsx'`, 'never import each other'],
  ['server/src/resources/crud.ts', `import '@karvon/testkit/telegram.ts'`, 'never imports a fake'],
  ['server/src/resources/crud.ts', `import '../../test/database.ts'`, 'is for tests'],
  ['server/src/resources/crud.ts', `import '../../../bench/src/main.ts'`, 'is for tests'],
  ['web/src/lib/http.ts', `import '../components/table/table.tsx'`, 'lib is below components'],
  [
    'web/src/components/table/table.tsx',
    `import '@karvon/contract/offers/offers.ts'`,
    'a widget knows no resource',
  ],
  ['web/src/lib/http.ts', `import '../features/offers/offers.page.tsx'`, 'lib is below domain'],
  [page, `import '../streams/streams.page.tsx'`, 'Declare the edge in web/src/features/features.json'],
  [page, `import '../../app/router.tsx'`, 'domain is below app'],
  [page, `import '../../../../server/src/config.ts'`, 'never import each other'],
  ['testkit/src/telegram.ts', `import '@karvon/server/config.ts'`, 'knows the outside protocol'],
])('a forbidden import fails: %s with %s', (file, text, remedy) => {
  expect(findProblem(file, text)).toContain(remedy)
})

test('the check of layers covers a new domain without a rule of its own', () => {
  expect(
    findProblem('server/src/domains/novelty/novelty.ts', `import '../offers/offers.queries.ts'`),
  ).toContain('novelty may not import offers')
})

test('declared edges must form no cycle and name existing domains', () => {
  const edges = 'server/src/domains/domains.json'
  expect(findProblem(edges, `{ "offers": ["leads"], "leads": ["offers"] }`)).toContain(
    'cycle: offers -> leads -> offers',
  )
  expect(findProblem(edges, `{ "offers": ["leads", "gone"] }`)).toContain('there is no domain gone')
})

test.each([
  ['a type', `import type { s } from '../streams/streams.routes.ts'`],
  ['a type in line', `export type S = typeof import('../streams/streams.routes.ts').s`],
  ['a re-export', `export { s } from '../streams/streams.routes.ts'`],
  ['a lazy import', `export const late = () => import('../streams/streams.routes.ts')`],
  ['a template', 'export const late = () => import(`../streams/streams.routes.ts`)'],
  ['a worker', `export const url = new URL('../streams/streams.routes.ts', import.meta.url)`],
  ['a multi-line import', `\n\nimport {\n  s,\n} from '../streams/streams.routes.ts'\nexport const t = s`],
])('%s counts as an import', (_, text) => {
  expect(findProblem(queries, text)).toMatch(
    /offers\.queries\.ts:[13]: the domain offers may not import streams/,
  )
})

test('an import whose path is computed at run time is refused', () => {
  expect(findProblem('web/src/app/router.tsx', 'export const late = (p: string) => import(p)')).toContain(
    'Write the file names out',
  )
  expect(
    findProblem('web/src/app/router.tsx', `export const all = import.meta.glob('../*/*.tsx')`),
  ).toContain('Write the file names out')
})

test('an import of a missing file and a meaningless file name are refused', () => {
  expect(findProblem('web/src/lib/http.ts', `import './gone.ts'`)).toContain('does not exist')
  expect(findProblem('server/src/domains/offers/utils.ts', '')).toContain(
    'Name the file after its domain and role',
  )
})

const routes = 'server/src/domains/offers/offers.routes.ts'

test.each([
  ['a template', 'export const now = sql`now()`'],
  ['a template with a type', 'export const now = sql<string>`now()`'],
  ['a raw text', "export const now = sql.raw('now()')"],
  ['a text', "export const now = 'select now()'"],
  ['a text with a part', "const item = 'x.id'\nexport const all = `select (${item}) from offers x`"],
  ['a query of Kysely', "export const all = (db) =>\n  db.selectFrom('offers').execute()"],
  ['a query of pg', "export const all = ({ pool }) =>\n  pool.query('select 1')"],
  ['a query of the pool of deps', "export const all = (deps) =>\n  deps.pool.query('select 1')"],
])('SQL outside of *.queries.ts fails: %s', (_, text) => {
  expect(findProblem(routes, text)).toMatch(
    /offers\.routes\.ts:[12]: SQL is in \*\.queries\.ts only\. Move the statement/,
  )
})

test.each([queries, 'server/src/platform/database/pool.ts', 'server/src/domains/offers/offers.test.ts'])(
  'SQL in %s is allowed',
  (file) => {
    const text = 'export const now = sql`now()`'
    expect(checkLayers(createFolder({ ...sound, [file]: text }), minCounts).problems).toEqual([])
  },
)

test('the check of layers fails if it finds too few modules', () => {
  const { problems } = checkLayers(createFolder({}))
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['contract/src', 'server/src', 'web/src'])
})
