import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../test/app.ts'
import { archive, sheetXml, workbookParts } from '../../test/archives.ts'
import { compound, xls } from '../../test/compound.ts'

const program = fileURLToPath(new URL('../../test/upload-server.ts', import.meta.url))
const megabyte = 1024 * 1024
let product: Product
let admin: Signed

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => product.close())

const bomb = (size: number) => {
  const packed = { bytes: deflateRawSync(Buffer.alloc(64 * megabyte)), size }
  return archive([...workbookParts(sheetXml([])), { name: 'xl/media/a.bin', packed }])
}
const far: Record<string, string> = { XFD: 'far away' }
const hostile: readonly (readonly [name: string, content: Buffer])[] = [
  ['bomb.xlsx', bomb(64 * megabyte)],
  ['sly.xlsx', bomb(2000)],
  [
    'far.xlsx',
    archive(
      workbookParts(
        sheetXml([
          [1, { A: 'orderno', B: 'person' }],
          [1_048_576, far],
        ]),
      ),
    ),
  ],
  ['far.xls', xls([['orderno', 'person'], ...Array.from({ length: 65_000 }, () => []), ['1', 'A']])],
  ['garbage.xls', compound('Workbook', Buffer.alloc(60_000, 0xa5))],
  ['../../\0нет.docx', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(megabyte, 7)])],
]

// Linux alone tells the most that a process ever held.
test.runIf(process.platform === 'linux')(
  'hostile files leave the process alive, and below 300 MB at its most',
  { timeout: 60_000 },
  async () => {
    const { databaseUrl, deps } = product
    const env = { ...process.env, KARVON_DATA: deps.config.dataFolder, KARVON_TIMEZONE: deps.config.timeZone }
    const child = spawn(process.execPath, [program, databaseUrl], { stdio: ['pipe', 'pipe', 'inherit'], env })
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      for (const call of ['preview', 'upload']) {
        for (const [name, content] of hostile) {
          const body = new FormData()
          body.set('file', new Blob([new Uint8Array(content)]), name)
          const url = `${line.toString().trim()}/api/parcel/files/${call}/`
          const { status } = await fetch(url, { method: 'POST', body, headers: admin.headers })
          expect([200, 413, 415, 422], `${call} of ${name} gave ${status}`).toContain(status)
        }
      }
      const told = await readFile(`/proc/${child.pid}/status`, 'utf8')
      const most = Number(/VmHWM:\s+(\d+) kB/.exec(told)?.[1]) / 1024
      expect(most).toBeGreaterThan(50)
      expect(most).toBeLessThan(300)
    } finally {
      child.kill('SIGKILL')
    }
  },
)
