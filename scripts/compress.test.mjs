import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressFolder } from './compress.mjs'

it('compress writes both forms of each text file, and skips pictures, fonts and small files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'karvon-compress-'))
  const script = join(folder, 'assets', 'a.js')
  const otherFiles = ['assets/font.woff2', 'tiny.css']
  try {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(script, 'const name = 1\n'.repeat(500))
    writeFileSync(join(folder, 'assets/font.woff2'), Buffer.alloc(5000))
    writeFileSync(join(folder, 'tiny.css'), 'p{}')
    compressFolder(folder)
    const plain = readFileSync(script)
    expect(gunzipSync(readFileSync(`${script}.gz`))).toEqual(plain)
    expect(brotliDecompressSync(readFileSync(`${script}.br`))).toEqual(plain)
    for (const name of otherFiles) expect(existsSync(join(folder, `${name}.gz`)), name).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
