import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findNode, reasonToInstall, root } from './install.mjs'

const here = { os: [process.platform], cpu: [process.arch] }
const tool = { version: '1.0.0', integrity: 'sha512-a' }

let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'karvon-install-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(path, packages) {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify({ packages }))
}

describe('packages are installed', () => {
  test.each([
    ['are those of the lockfile', { 'node_modules/a': tool }, { 'node_modules/a': tool }, undefined],
    [
      'include more',
      { 'node_modules/a': tool },
      { 'node_modules/a': tool, 'node_modules/b': tool },
      undefined,
    ],
    [
      'lack one',
      { 'node_modules/a': tool, 'node_modules/b': tool },
      { 'node_modules/a': tool },
      'node_modules/b is missing',
    ],
    [
      'have another version',
      { 'node_modules/a': { ...tool, version: '2.0.0' } },
      { 'node_modules/a': tool },
      'node_modules/a has changed',
    ],
    [
      'have another content',
      { 'node_modules/a': { ...tool, integrity: 'sha512-b' } },
      { 'node_modules/a': tool },
      'node_modules/a has changed',
    ],
    [
      'lack one for this platform',
      { 'node_modules/a': { ...tool, ...here, optional: true } },
      {},
      'node_modules/a is missing',
    ],
    [
      'lack one for another platform',
      { 'node_modules/a': { ...tool, os: ['aix'], optional: true } },
      {},
      undefined,
    ],
    [
      'lack one for every platform but this',
      { 'node_modules/a': { ...tool, os: [`!${process.platform}`], optional: true } },
      {},
      undefined,
    ],
    [
      'lack one of two C libraries',
      { 'node_modules/a': { ...tool, ...here, libc: ['musl'], optional: true } },
      {},
      undefined,
    ],
  ])('unless they %s', (_what, wanted, installed, reason) => {
    write('package-lock.json', { '': { name: 'karvon' }, ...wanted })
    write('node_modules/.package-lock.json', installed)
    expect(reasonToInstall(folder)).toBe(reason)
  })

  test('when there are none, or an installation was cut short', () => {
    write('package-lock.json', { 'node_modules/a': tool })
    expect(reasonToInstall(folder)).toBe('no packages yet')
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{"packages":{"node_mod')
    expect(reasonToInstall(folder)).toBe('node_modules/a is missing')
  })

  test('and those of this checkout are there', () => {
    expect(reasonToInstall(root)).toBeUndefined()
  })
})

describe('Node', () => {
  test('is the pinned one', () => {
    expect(findNode(root)).toContain(join(root, 'node_modules', 'node-'))
  })

  test('is the one that runs this where none is pinned, or the pinned one is too old', () => {
    expect(findNode(folder)).toBe(process.execPath)
    const old = join(folder, 'node_modules', '.bin', 'node')
    mkdirSync(join(old, '..'), { recursive: true })
    writeFileSync(old, '#!/bin/sh\necho v20.1.0\n')
    chmodSync(old, 0o755)
    expect(findNode(folder)).toBe(process.execPath)
  })
})
