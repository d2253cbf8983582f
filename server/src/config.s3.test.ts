import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('a credential of a bucket without the other one is reported, also if it comes from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'karvon-config-'))
  const path = join(folder, 'secret')
  writeFileSync(path, 'secret')
  const bucket = { KARVON_FILES: 's3://karvon-files' }
  expect(() => readConfig({ ...bucket, AWS_ACCESS_KEY_ID: 'id' })).toThrow(
    'AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY',
  )
  expect(() => readConfig({ ...bucket, AWS_SECRET_ACCESS_KEY_FILE: path })).toThrow(
    'AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID',
  )
  expect(readConfig(bucket).s3?.credentials).toBeUndefined()
  expect(readConfig({ AWS_ACCESS_KEY_ID: 'id' }).s3).toBeUndefined()
  rmSync(folder, { recursive: true })
})
