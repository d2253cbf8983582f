import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createRunFolder, removeRunFolder } from './test-folder.mjs'

test('a run of tests has a folder that other accounts may write to, until it ends', () => {
  const folder = createRunFolder()
  expect(statSync(folder).mode & 0o7777).toBe(0o1777)
  removeRunFolder(folder)
  expect(existsSync(folder)).toBe(false)
})

test('a run removes the folders of runs that were killed, and keeps those of running ones', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const folder = createRunFolder()
  const parent = dirname(folder)
  const ended = join(parent, `karvon-tests-${pid}-abc`)
  const running = join(parent, `karvon-tests-${process.ppid}-abc`)
  for (const other of [ended, running]) mkdirSync(join(other, 'files'), { recursive: true })
  removeRunFolder(folder)
  removeRunFolder(createRunFolder())
  expect(existsSync(ended)).toBe(false)
  expect(existsSync(running)).toBe(true)
  removeRunFolder(running)
})

test('a run begins beside the folder of a killed run that had the same process id', () => {
  const folder = createRunFolder()
  const other = createRunFolder()
  expect(other).not.toBe(folder)
  for (const each of [folder, other]) removeRunFolder(each)
})
