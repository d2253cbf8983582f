// Compares the version of the product wherever it is written with the newest release of the changelog.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './install.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const [, releasedVersion] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md')) ?? []

test('every package and the image have the version of the newest release in the changelog', () => {
  expect(releasedVersion).toBeDefined()
  const { version, workspaces } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json')).packages
  const versions = Object.fromEntries(
    workspaces.flatMap((name) => [
      [`${name}/package.json`, JSON.parse(read(`${name}/package.json`)).version],
      [`package-lock.json ${name}`, lock[name].version],
    ]),
  )
  const [{ newTag }] = parse(read('deploy/kubernetes/kustomization.yaml')).images
  const [, builtVersion] =
    /^docker build --tag karvon:(\S+) \.$/m.exec(read('docs/operations/installation.md')) ?? []
  const versionsByPlace = {
    ...versions,
    'package.json': version,
    'package-lock.json': lock[''].version,
    newTag,
    built: builtVersion,
  }
  expect(
    Object.entries(versionsByPlace).filter(([, placeVersion]) => placeVersion !== releasedVersion),
  ).toEqual([])
})

test('the changelog has the newest release first, after what is not released', () => {
  const titles = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(titles[0]).toBe('[Unreleased]')
  const days = titles.slice(1).map((title) => /^\[\d+\.\d+\.\d+\] - (\d{4}-\d{2}-\d{2})$/.exec(title)?.[1])
  expect(days).not.toContain(undefined)
  expect(days).toEqual(days.toSorted((a, b) => b.localeCompare(a)))
})
