import { expect, test } from 'vitest'
import { createFolder } from './fixture.mjs'
import { checkPackages } from './packages.mjs'

const sound = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==` }
const workspace = { 'node_modules/@karvon/server': { link: true, resolved: 'server' }, server: {} }

const check = (packages, npmrc = 'fund=false\nignore-scripts=true\n') =>
  checkPackages(
    createFolder({
      'package-lock.json': JSON.stringify({ packages: { '': {}, ...workspace, ...packages } }),
      '.npmrc': npmrc,
    }),
  )

test('the check of packages accepts a sha512 integrity, and workspaces need none', () => {
  expect(check({ 'node_modules/a': sound, 'server/node_modules/b': sound })).toEqual({
    problems: [],
    packages: 2,
  })
})

test.each([
  ['no integrity', { version: '1.0.0' }, 'has no sha512 integrity'],
  ['an integrity by sha1', { ...sound, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no sha512'],
  ['an address of its own', { ...sound, resolved: 'git+ssh://example.uz/a.git' }, 'comes from outside'],
])('the check of packages refuses a package with %s', (_, entry, problem) => {
  expect(check({ 'node_modules/a': entry }).problems).toEqual([
    expect.stringContaining(`node_modules/a ${problem}`),
  ])
})

test('the check of packages refuses settings that let packages run install scripts', () => {
  expect(check({}, 'fund=false\n').problems).toEqual([expect.stringContaining('install scripts run')])
  expect(check({}, '#ignore-scripts=true\n').problems).toHaveLength(1)
})
