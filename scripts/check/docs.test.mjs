import { expect, test } from 'vitest'
import { checkDocs } from './docs.mjs'
import { readPage } from './docs.page.mjs'
import { createFolder } from './fixture.mjs'

const sound = {
  'package.json': JSON.stringify({ scripts: { start: '', test: '', check: '' }, workspaces: ['server'] }),
  'server/package.json': JSON.stringify({ name: '@karvon/server', scripts: { seed: '' } }),
  'server/src/config.ts': `read.text('KARVON_DATA'); read.databaseUrl('DATABASE_URL')`,
  'server/test/database.ts': `process.env['KARVON_TEST_PG']`,
  'server/src/domains/offers/offers.routes.ts': 'listOffers({ created_at })',
  'scripts/start.mjs': '',
  'docs/pictures/list.png': '',
  'SECURITY.md': '# Security',
  'README.md': `# Karvon

![The list](docs/pictures/list.png) <img src="docs/pictures/list.png">

\`npm start\`, \`npm test\`, \`npm run check\`, \`npm run seed -w server\`; see [how](docs/how.md#why-not-both), [below](#settings),
[outside](https://example.org/#x) and [the folder](docs).

\`\`\`sh
node scripts/start.mjs   # npm start
\`\`\`

## Settings
`,
  'docs/configuration.md': `
| name | meaning |
|---|---|
| \`KARVON_DATA\` | \`./data\` |
| \`DATABASE_URL\` | none |
`,
  'ARCHITECTURE.md': `# Layers

\`server/src/domains/offers\`, \`offers.routes.ts\`, \`server/src/domains/*/offers.{routes}.ts\`, \`/api/admin/offers/\`, \`domain.role.ts\`,
\`listOffers()\`, \`created_at\`, \`pg_dump\`.
`,
  'CONTRIBUTING.md': '# How\n\n`server/src/platform/database/NNNN_what.sql` and KARVON_TEST_PG=15.\n',
  'docs/how.md':
    '# How\n\n## Why not *both*?\n\n## Why not *both*?\n\n[second](#why-not-both-1) [up](../README.md#settings)\n',
}

const check = (files) => checkDocs(createFolder({ ...sound, ...files }))

test('the check of pages accepts correct pages and counts them', () => {
  expect(check({})).toEqual({ problems: [], pages: 6 })
})

test('the page of a folder of the server is checked', () => {
  const file = 'server/src/domains/offers/README.md'
  expect(check({ [file]: '[x](gone.md)' }).problems).toEqual([expect.stringContaining(file)])
})

test.each([
  ['a dead link', '[x](gone.md)', 'the target of the link gone.md does not exist'],
  ['a dead link by reference', '[x]: gone.md', 'the target of the link gone.md does not exist'],
  ['a dead link in HTML', '<a href="gone.md">x</a>', 'the target of the link gone.md does not exist'],
  [
    'a dead anchor elsewhere',
    '[x](../README.md#setings)',
    'README.md has no heading #setings. It has #karvon, #settings',
  ],
  ['a dead anchor here', '[x](#gone)', 'docs/new.md has no heading #gone'],
  ['a heading that stands in code only', '```\n# Gone\n```\n[x](#gone)', 'no heading #gone'],
  ['a missing picture', '![x](pictures/gone.png)', 'the picture pictures/gone.png does not exist'],
  ['a picture on another host', '![x](https://example.org/a.png)', 'Move it to docs/pictures'],
  ['a missing script', '`npm run lint`', "no script 'lint' in ./package.json"],
  ['a script in a block', '```\nnpm run lint\n```', "no script 'lint' in ./package.json"],
  ['a script of a workspace', '`npm run gone -w server`', "no script 'gone' in server/package.json"],
  ['a missing program', '```\nnode --watch scripts/gone.mjs\n```', 'there is no scripts/gone.mjs'],
  ['a missing path', '`server/src/gone`', 'server/src/gone does not exist'],
  ['a missing file', '`gone.routes.ts`', 'gone.routes.ts does not exist'],
  [
    'one of several',
    '`server/src/domains/offers/offers.{routes,gone}.ts`',
    'server/src/domains/offers/offers.gone.ts does not exist',
  ],
  ['a pattern without a match', '`server/src/*/gone.*.ts`', 'server/src/*/gone.*.ts does not exist'],
  ['an unused setting', 'Set KARVON_GONE.', 'no code reads KARVON_GONE'],
  ['a removed function', '`createGone()`', 'no code contains createGone'],
  ['a removed column', '`gone_at`', 'no code contains gone_at'],
])('the check of pages finds %s', (_, text, problem) => {
  const { problems } = check({ 'docs/new.md': `# New\n\n${text}\n` })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
  expect(problems[0]).toMatch(/^docs\/new\.md:\d+: /)
})

test('the check of pages finds a setting without a row in the table of settings', () => {
  const { problems } = check({ 'server/src/config.ts': `['KARVON_DATA', 'DATABASE_URL', 'KARVON_NEW']` })
  expect(problems).toEqual([expect.stringContaining('no row for KARVON_NEW')])
})

test('the check of pages finds a missing required page', () => {
  const root = createFolder(
    Object.fromEntries(Object.entries(sound).filter(([file]) => file !== 'ARCHITECTURE.md')),
  )
  expect(checkDocs(root).problems).toEqual([expect.stringContaining('ARCHITECTURE.md is missing')])
})

test('a recipe may name files that it creates, and a superseded decision removed ones', () => {
  const recipe =
    '<!-- new: server/src/domains/couriers couriers. -->\n`server/src/domains/couriers/couriers.queries.ts`, `couriers.page.tsx`\n'
  const decision = '# 1\n\nSuperseded by [how](../how.md).\n\n`server/src/gone`\n'
  expect(check({ 'docs/recipe.md': recipe, 'docs/decisions/1.md': decision }).problems).toEqual([])
})

test('the anchors of headings equal those of GitHub', () => {
  const { anchors } = readPage('# Add a `lib/` — или нет?\n## [A](b) & c\n### 2.1 x_y\n')
  expect([...anchors]).toEqual(['add-a-lib--или-нет', 'a--c', '21-x_y'])
})
