import { expect, test } from 'vitest'
import { folderWith } from './fixture.mjs'
import { checkLayers } from './layers.mjs'

const sound = {
  'contract/src/kit/page.ts': `import { Type } from 'typebox'\nexport const a = Type`,
  'contract/src/offers/offers.ts': `import { a } from '../kit/page.ts'\nexport const offers = a`,
  'contract/src/streams/streams.ts': `export const streams = 1`,
  'contract/src/registry.ts': `export * from './offers/offers.ts'`,
  'server/src/config.ts': `export const config = 1`,
  'server/src/db/pool.ts': `import type { config } from '../config.ts'\nexport type P = typeof config`,
  'server/src/clients/mail.ts': `import { a } from '@karvon/contract/kit/page.ts'\nexport const mail = a`,
  'server/src/kit/crud.ts': `import '../db/pool.ts'\nimport '../clients/mail.ts'\nexport const crud = 1`,
  'server/src/offers/offers.routes.ts': `import { crud } from '../kit/crud.ts'\nimport './offers.sql.ts'\nexport const o = crud`,
  'server/src/offers/offers.sql.ts': `import { offers } from '@karvon/contract/offers/offers.ts'\nexport const sql = offers`,
  'server/src/streams/streams.routes.ts': `export const s = 1`,
  'server/src/app.ts': `import './offers/offers.routes.ts'\nimport './streams/streams.routes.ts'`,
  'server/src/main.ts': `import './app.ts'`,
  'server/test/database.ts': `export const database = 1`,
  'web/src/ui/table/table.tsx': `import '@karvon/contract/kit/page.ts'\nimport './table.module.css'`,
  'web/src/ui/table/table.module.css': '',
  'web/src/kit/http.ts': `import '../ui/table/table.tsx'`,
  'web/src/offers/offers.page.tsx': `import '../kit/http.ts'\nimport '@karvon/contract/streams/streams.ts'`,
  'web/src/streams/streams.page.tsx': `export const page = 1`,
  'web/src/app/router.tsx': `export const lazy = () => import('../offers/offers.page.tsx')`,
  'web/src/main.tsx': `import './app/router.tsx'`,
  'stand-ins/src/telegram.ts': `import 'fastify'\nexport const telegram = 1`,
  // Tests go where they must.
  'server/src/offers/offers.test.ts': `import '../app.ts'\nimport '../streams/streams.routes.ts'\nimport '../../test/database.ts'\nimport '@karvon/stand-ins/telegram.ts'`,
  'bench/src/main.ts': `import '@karvon/server/app.ts'`,
}
const none = {}
const least = { contract: 4, server: 9, web: 6 }

/** The one problem that planting `text` in `file` makes. */
function planted(file, text) {
  const { problems } = checkLayers(folderWith({ ...sound, [file]: text }), least)
  expect(problems).toHaveLength(1)
  return problems[0]
}

test('a sound tree passes, and its modules are counted', () => {
  const { problems, modules, imports } = checkLayers(folderWith(sound), least)
  expect(problems).toEqual([])
  expect(modules).toBe(Object.keys(sound).length - 1)
  expect(imports).toBe(26)
})

test.each([
  ['contract/src/kit/call.ts', `import '../offers/offers.ts'`, 'kit is below domain'],
  ['contract/src/offers/offers.ts', `import '../streams/streams.ts'`, 'compose the two in registry.ts'],
  ['contract/src/offers/offers.ts', `import '../registry.ts'`, 'domain is below registry'],
  ['contract/src/offers/offers.ts', `import fs from 'node:fs'`, 'typebox alone'],
  [
    'contract/src/offers/offers.ts',
    `import '../../../server/src/db/pool.ts'`,
    'Declare the shape in contract',
  ],
  ['server/src/config.ts', `import './db/pool.ts'`, 'config is below floor'],
  ['server/src/db/pool.ts', `import '../kit/crud.ts'`, 'floor is below kit'],
  ['server/src/db/pool.ts', `import '../clients/mail.ts'`, 'Compose them in kit'],
  ['server/src/clients/mail.ts', `import '../offers/offers.sql.ts'`, 'floor is below domain'],
  ['server/src/kit/crud.ts', `import '../offers/offers.sql.ts'`, 'kit is below domain'],
  [
    'server/src/offers/offers.sql.ts',
    `import '../streams/streams.routes.ts'`,
    'Bring shared data down to db or kit',
  ],
  ['server/src/offers/offers.sql.ts', `import '../app.ts'`, 'domain is below app'],
  ['server/src/app.ts', `import './main.ts'`, 'app is below main'],
  ['server/src/app.ts', `import '@karvon/web/ui/table/table.tsx'`, 'server and web never meet'],
  ['server/src/kit/crud.ts', `import '@karvon/stand-ins/telegram.ts'`, 'never imports a stand-in'],
  ['server/src/kit/crud.ts', `import '../../test/database.ts'`, 'there for tests'],
  ['server/src/kit/crud.ts', `import '../../../bench/src/main.ts'`, 'there for tests'],
  ['web/src/ui/table/table.tsx', `import '../../kit/http.ts'`, 'ui is below kit'],
  ['web/src/ui/table/table.tsx', `import '@karvon/contract/offers/offers.ts'`, 'a widget knows no resource'],
  ['web/src/kit/http.ts', `import '../offers/offers.page.tsx'`, 'kit is below domain'],
  ['web/src/offers/offers.page.tsx', `import '../streams/streams.page.tsx'`, 'compose the two in app'],
  ['web/src/offers/offers.page.tsx', `import '../app/router.tsx'`, 'domain is below app'],
  ['web/src/offers/offers.page.tsx', `import '../../../server/src/config.ts'`, 'server and web never meet'],
  ['stand-ins/src/telegram.ts', `import '@karvon/server/config.ts'`, 'knows the outside protocol'],
])('%s with %s', (file, text, remedy) => {
  expect(planted(file, text)).toContain(remedy)
})

test('a folder that did not exist when the rules were written is guarded', () => {
  expect(planted('server/src/novelty/novelty.ts', `import '../offers/offers.sql.ts'`)).toContain(
    'novelty and offers',
  )
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
  expect(planted('server/src/offers/offers.sql.ts', text)).toMatch(
    /^server\/src\/offers\/offers\.sql\.ts:[13]: .*two domains/,
  )
})

test('what is decided only when it runs is refused', () => {
  expect(planted('web/src/app/router.tsx', 'export const late = (p: string) => import(p)')).toContain(
    'Write the file names out',
  )
  expect(planted('web/src/app/router.tsx', `export const all = import.meta.glob('../*/*.tsx')`)).toContain(
    'Write the file names out',
  )
})

test('an import that leads nowhere and a name that says nothing are refused', () => {
  expect(planted('web/src/kit/http.ts', `import './gone.ts'`)).toContain('leads nowhere')
  expect(planted('server/src/offers/utils.ts', '')).toContain('Name the file for its domain and role')
})

test('reading too little cannot pass', () => {
  const { problems } = checkLayers(folderWith(none))
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['contract/src', 'server/src', 'web/src'])
})
