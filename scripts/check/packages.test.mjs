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

test('packages with a sha512 integrity pass, and workspaces need none', () => {
  expect(check({ 'node_modules/a': sound, 'server/node_modules/b': sound })).toEqual({
    problems: [],
    packages: 2,
  })
})

test.each([
  ['no integrity', { version: '1.0.0' }, 'has no sha512 integrity'],
  ['an integrity by sha1', { ...sound, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no sha512'],
  ['an address of its own', { ...sound, resolved: 'git+ssh://example.uz/a.git' }, 'comes from outside'],
])('a package with %s fails', (_, entry, problem) => {
  expect(check({ 'node_modules/a': entry }).problems).toEqual([
    expect.stringContaining(`node_modules/a ${problem}`),
  ])
})

test('settings that let packages run install scripts fail', () => {
  expect(check({}, 'fund=false\n').problems).toEqual([expect.stringContaining('install scripts run')])
  expect(check({}, '#ignore-scripts=true\n').problems).toHaveLength(1)
})
