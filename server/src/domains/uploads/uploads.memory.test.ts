import { readFile } from 'node:fs/promises'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildArchive, buildSheetXml, buildWorkbook, buildWorkbookParts } from '../../../test/archives.ts'
import { buildCompoundFile, buildXls } from '../../../test/compound-file.ts'
import { startWorker } from '../../../test/worker.ts'

const megabyte = 1024 * 1024
let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const bomb = (size: number) => {
  const packedSheet = { bytes: deflateRawSync(Buffer.alloc(64 * megabyte)), size }
  return buildArchive([
    ...buildWorkbookParts(buildSheetXml([])),
    { name: 'xl/media/a.bin', packed: packedSheet },
  ])
}
const sheetPath = 'xl/worksheets/sheet1.xml'
const head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const heads = `<row r="1">${cell('A1', 'orderno')}${cell('B1', 'person')}</row>`
const withSheet = (content: string) =>
  buildArchive(buildWorkbookParts('').map((part) => (part.name === sheetPath ? { ...part, content } : part)))

/** A workbook with shared strings. */
function withTexts(content: string): Buffer {
  const link = `<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
  const parts = buildWorkbookParts(`${head}${heads}</sheetData></worksheet>`).map((part) =>
    part.name === 'xl/_rels/workbook.xml.rels'
      ? { ...part, content: String(part.content).replace('</Relationships>', link) }
      : part,
  )
  return buildArchive([...parts, { name: 'xl/sharedStrings.xml', content }])
}

/** Content that compresses well, but not enough to be refused as a zip bomb. */
function plenty(size: number, piece: (n: number) => string): string {
  const pieces: string[] = []
  for (let n = 1, length = 0; length < size; n += 1) {
    const next = piece(n)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}
const various = (n: number) => `${((n * 2_654_435_761) % 4_294_967_296).toString(36)}${'x'.repeat(200)}`

const laughs = Array.from(
  { length: 20 },
  (_, n) => `<!ENTITY b${n + 1} "${(n === 0 ? '&a;' : `&b${n};`).repeat(10)}">`,
)
const lockedWorkbook = Buffer.concat([
  Buffer.from([9, 8, 16, 0, 0, 6, 5, 0, ...Array<number>(12).fill(0)]),
  // FilePass record: the rest of the file is encrypted.
  Buffer.from([0x2f, 0, 54, 0, ...Array<number>(54).fill(1)]),
  Buffer.alloc(5000, 0xa5),
])

const far: Record<string, string> = { XFD: 'far away' }
const hostile: readonly (readonly [name: string, content: Buffer])[] = [
  ['bomb.xlsx', bomb(64 * megabyte)],
  ['sly.xlsx', bomb(2000)],
  [
    'far.xlsx',
    buildWorkbook([
      [1, { A: 'orderno', B: 'person' }],
      [1_048_576, far],
    ]),
  ],
  ['far.xls', buildXls([['orderno', 'person'], ...Array.from({ length: 65_000 }, () => []), ['1', 'A']])],
  ['garbage.xls', buildCompoundFile('Workbook', Buffer.alloc(60_000, 0xa5))],
  ['../../\0нет.docx', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(megabyte, 7)])],
]

/** Other expensive files. */
const costly: readonly (readonly [name: string, content: Buffer])[] = [
  ['locked.xls', buildCompoundFile('Workbook', lockedWorkbook)],
  [
    'nested.xlsx',
    buildArchive([
      ...buildWorkbookParts(buildSheetXml([])),
      { name: 'xl/media/a.zip', content: bomb(64 * megabyte) },
    ]),
  ],
  [
    'laughs.xlsx',
    withTexts(`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${laughs.join('')}]><sst><si><t>&b20;</t></si></sst>`),
  ],
  [
    'elsewhere.xlsx',
    withSheet(
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${head}${heads}<row r="2">${cell('A2', '&e;')}</row></sheetData></worksheet>`,
    ),
  ],
  [
    'columns.xlsx',
    withSheet(`${head}<row r="1">${'<c t="inlineStr"><is><t>a</t></is></c>'.repeat(1_000_000)}</row>`),
  ],
  ['deep.xlsx', withSheet(`${head}${'<a>'.repeat(1_000_000)}`)],
  ['texts.xlsx', withTexts(`<sst>${plenty(20 * megabyte, (n) => `<si><t>${various(n)}</t></si>`)}</sst>`)],
  ['quotes.csv', Buffer.from(`orderno,date\n"${'""'.repeat(1.5 * megabyte)}`)],
  ['open.csv', Buffer.from(`orderno,date\n${'"a\n'.repeat(1 * megabyte)}`)],
  ['wide.csv', Buffer.from(`orderno,date\n${','.repeat(3 * megabyte)}`)],
  ['blank.csv', Buffer.from(`orderno,date\n${'\n'.repeat(3 * megabyte)}`)],
]

/** The largest ordinary file. The work and the memory of the other files are compared with it. */
const honestRows = 30_000
const honest: readonly (readonly [name: string, content: Buffer])[] = [
  [
    'honest.xlsx',
    buildWorkbook([
      [1, { A: 'orderno', B: 'person', C: 'date' }],
      ...Array.from(
        { length: honestRows },
        (_, n) => [n + 2, { A: `H-${n}`, B: various(n), C: '2026-11-20' }] as const,
      ),
    ]),
  ],
]

const calls = ['/api/parcel/files/preview/', '/api/parcel/files/upload/', '/api/admin/parcels/import/']

// Only Linux has the peak memory and the processor time of a process.
test.runIf(process.platform === 'linux')(
  'hostile files cost no more time and memory than a valid one, and the process survives',
  async () => {
    const server = startWorker('upload-server', product)
    /** Seconds of processor time so far. They do not depend on other processes. */
    const readProcessorTime = async () => {
      const procFile = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
      return (Number(procFile[11]) + Number(procFile[12])) / 100
    }
    try {
      await server.waitFor(/http\S+/)
      /** The maximum work of one request, and the peak memory of the process in megabytes. */
      const sendAll = async (files: typeof hostile) => {
        let work = 0
        for (const call of calls) {
          for (const [name, content] of files) {
            if (name.endsWith('csv') && !call.includes('import')) continue
            const body = new FormData()
            body.set('file', new Blob([new Uint8Array(content)]), name)
            const before = await readProcessorTime()
            const url = `${server.url}${call}`
            const answer = await fetch(url, { method: 'POST', body, headers: admin.headers })
            const text = await answer.text()
            expect([200, 413, 415, 422], `${call} of ${name}: ${text}`).toContain(answer.status)
            expect(text).not.toContain('root:')
            work = Math.max(work, (await readProcessorTime()) - before)
          }
        }
        const procFile = await readFile(`/proc/${server.pid}/status`, 'utf8')
        const memory = Number(/VmHWM:\s+(\d+) kB/.exec(procFile)?.[1]) / 1024
        return { work, memory }
      }
      const yardstick = await sendAll(honest)
      for (const files of [hostile, costly]) {
        const { work, memory } = await sendAll(files)
        expect(work, 'seconds of processor time').toBeLessThan(1.5 * yardstick.work)
        // More calls leave more garbage that is not collected yet. A single bad call could take a thousand megabytes.
        expect(memory, 'megabytes').toBeLessThan(1.5 * yardstick.memory)
      }
      const alive = await fetch(`${server.url}/healthz`)
      expect(alive.status).toBe(200)
    } finally {
      await server.kill()
    }
  },
)
