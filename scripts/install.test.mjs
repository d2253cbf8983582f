import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findNode, reasonToInstall, removeUnusableNode, root } from './install.mjs'

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
  for (const name of ['node_modules', ...Object.keys(packages)])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify({ packages }))
}

describe('Installation of packages', () => {
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
  ])('reasonToInstall is right for packages that %s', (_what, lockedPackages, installedPackages, reason) => {
    write('package-lock.json', { '': { name: 'karvon' }, ...lockedPackages })
    write('node_modules/.package-lock.json', installedPackages)
    expect(reasonToInstall(folder)).toBe(reason)
  })

  test('packages are installed if there are none or an installation was interrupted', () => {
    write('package-lock.json', { 'node_modules/a': tool })
    expect(reasonToInstall(folder)).toBe('no packages yet')
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{"packages":{"node_mod')
    expect(reasonToInstall(folder)).toBe('node_modules/a is missing')
  })

  test('packages are installed if the folder of one is missing', () => {
    write('package-lock.json', { 'node_modules/a': tool })
    write('node_modules/.package-lock.json', { 'node_modules/a': tool })
    expect(reasonToInstall(folder)).toBeUndefined()
    rmSync(join(folder, 'node_modules', 'a'), { recursive: true })
    expect(reasonToInstall(folder)).toBe('node_modules/a is missing')
  })

  test('no installation is needed in this checkout', () => {
    expect(reasonToInstall(root)).toBeUndefined()
  })
})

describe('Node version', () => {
  test('findNode returns the pinned Node', () => {
    expect(findNode(root)).toContain(join(root, 'node_modules', 'node-'))
  })

  test('a pinned Node that cannot run is unlinked, and the machine runs the commands with its own', () => {
    const link = join(folder, 'node_modules', '.bin', 'node')
    mkdirSync(join(link, '..'), { recursive: true })
    writeFileSync(
      link,
      '#!/bin/sh\necho "node: libatomic.so.1: cannot open shared object file" >&2\nexit 127\n',
    )
    chmodSync(link, 0o755)
    removeUnusableNode(folder)
    expect(existsSync(link)).toBe(false)
    expect(findNode(folder)).toBe(process.execPath)
  })

  test('a pinned Node that runs stays linked', () => {
    const link = join(folder, 'node_modules', '.bin', 'node')
    mkdirSync(join(link, '..'), { recursive: true })
    symlinkSync(process.execPath, link)
    removeUnusableNode(folder)
    expect(existsSync(link)).toBe(true)
  })

  test('findNode returns the running Node if none is pinned or the pinned one is too old', () => {
    expect(findNode(folder)).toBe(process.execPath)
    const old = join(folder, 'node_modules', '.bin', 'node')
    mkdirSync(join(old, '..'), { recursive: true })
    writeFileSync(old, '#!/bin/sh\necho v20.1.0\n')
    chmodSync(old, 0o755)
    expect(findNode(folder)).toBe(process.execPath)
  })
})

test('a script runs also by a path through a link', () => {
  symlinkSync(root, join(folder, 'current'), 'dir')
  const gate = join(folder, 'current', 'scripts/check/asvs.mjs')
  expect(spawnSync(process.execPath, [gate], { encoding: 'utf8' })).toMatchObject({
    stdout: expect.stringContaining('requirements'),
    status: 0,
  })
})
