import fc from 'fast-check'
import type { Schema } from './fuzz.operations.ts'
import { validValue, type IdOfField } from './fuzz.schema.ts'
import { hostileText, inPercent } from './fuzz.values.ts'

/** A body with its content type, which may be wrong. */
export interface Body {
  type: string
  bytes: Buffer
}

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
const leads = Buffer.from(
  'external_id,created_at,status,payout\nh-1,2026-11-01T10:00:00+05:00,new,10\nh-2,x,,-1e9\n,,\n"open',
)
const parcels = Buffer.from(
  'orderno,date,status,event_time,owner\nh-1,2026-11-01,PENDING,2026-11-01T10:00:00Z,admin\n\0,\u2028,x,y,z\n',
)
const zip = Buffer.from('PK\x03\x04\x14\0\x08\x08\x08\0', 'latin1')
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504, 0xff)])

const files: readonly [string, Buffer][] = [
  ['orders.pdf', pdf],
  ['leads.csv', leads],
  ['parcels.csv', parcels],
  ['orders.xlsx', zip],
  ['orders.xls', ole],
  ['orders.xlsx', pdf],
  ['orders.docx', Buffer.concat([zip, Buffer.alloc(3000)])],
  ['empty.pdf', Buffer.alloc(0)],
  ['empty.csv', Buffer.alloc(0)],
  ['zeros.csv', Buffer.alloc(70_000)],
  ['long.csv', Buffer.alloc(300_000, 'a')],
  ['bom.csv', Buffer.from('\uFEFFexternal_id;created_at;status;payout\r\n1;2;3;4\r\n')],
  ['utf16.csv', Buffer.from('external_id,created_at\n1,2', 'utf16le')],
]

const names: readonly string[] = [
  '../../etc/passwd.pdf',
  'C:\\x\\y.csv',
  'a\0.pdf',
  '.pdf',
  'pdf',
  'a.exe',
  'a.pdf.exe',
  'ж'.repeat(300) + '.csv',
  '\u202Efdp.exe',
  'con.csv',
  '',
  '"; filename="b.csv',
  '__proto__.csv',
]

/** A way to break a form. The first one keeps the form whole, because a failing form is shrunk to it. */
interface Break {
  parts?: (parts: Buffer[]) => Buffer[]
  bytes?: (bytes: Buffer) => Buffer
  /** The boundary of the bytes, if it differs from the one of the content type. */
  boundary?: string
}

const boundary = 'karvon-boundary'

const breaks: readonly Break[] = [
  {},
  {},
  {},
  { parts: (parts) => [...parts, field('__proto__', 'x'), field('constructor', 'y')] },
  { parts: (parts) => [...parts, ...Array.from({ length: 60 }, (_, i) => field(`more${i}`, 'x'))] },
  { parts: (parts) => [...parts, filePart('file', 'second.csv', leads), filePart('other', '3.csv', leads)] },
  { parts: (parts) => [...parts, Buffer.from('content-disposition: form-data\r\n\r\nno name')] },
  { parts: (parts) => [...parts, Buffer.from('x: y\r\n\r\nno disposition'), Buffer.from('no head at all')] },
  { parts: (parts) => [...parts, field('description', 'd'.repeat(40_000))] },
  { parts: (parts) => [...parts, Buffer.concat([Buffer.alloc(20_000, 'h'), Buffer.from(': x\r\n\r\nx')])] },
  { parts: (parts) => parts.toReversed() },
  { boundary: 'another' },
  { bytes: () => Buffer.alloc(0) },
  { bytes: (bytes) => Buffer.concat([Buffer.from('preamble\r\n'), bytes, Buffer.from('epilogue')]) },
  { bytes: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') },
]

const cutForm = fc
  .noBias(fc.nat(99))
  .map((percent): Break => ({ bytes: (bytes) => bytes.subarray(0, (bytes.length * percent) / 100) }))

const claims = [`; boundary=${boundary}`, `; boundary="${boundary}"; charset=utf-7`]
const brokenClaims = ['', '; boundary=', `; boundary=${'x'.repeat(300)}`, '; boundary="', ';;;']

/** A multipart form, whole or broken. */
export function hostileForm(schema: Schema, idOf: IdOfField): fc.Arbitrary<Body> {
  const parts = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    name === 'file' ? inPercent(95, hostileFile) : inPercent(80, formField(name, property, idOf)),
  )
  return fc
    .record({
      parts: fc.tuple(...parts),
      broken: fc.oneof(
        { weight: breaks.length, arbitrary: fc.constantFrom(...breaks) },
        { weight: 1, arbitrary: cutForm },
      ),
      claim: fc.oneof(
        { weight: 15, arbitrary: fc.constantFrom(...claims) },
        { weight: 1, arbitrary: fc.constantFrom(...brokenClaims) },
      ),
    })
    .map(({ parts, broken, claim }) => {
      const sentParts = parts.filter((part) => part !== undefined)
      const bytes = joinParts(broken.parts?.(sentParts) ?? sentParts, broken.boundary ?? boundary)
      return { type: `multipart/form-data${claim}`, bytes: broken.bytes?.(bytes) ?? bytes }
    })
}

const hostileFile = fc
  .tuple(fc.constantFrom(...files), inPercent(40, fc.constantFrom(...names)))
  .map(([[usual, content], name]) => filePart('file', name ?? usual, content))

const formField = (name: string, schema: Schema, idOf: IdOfField) =>
  fc.oneof(validValue(schema, idOf, name).map(String), hostileText).map((text) => field(name, text))

/** A multipart form as a browser sends it: the files first, then the fields. */
export function plainForm(body: Record<string, unknown>, ...files: readonly Buffer[]): Body {
  const parts = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => field(name, typeof value === 'string' ? value : JSON.stringify(value)))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: joinParts([...files, ...parts], boundary),
  }
}

const field = (name: string, text: string) =>
  Buffer.from(`content-disposition: form-data; name="${name}"\r\n\r\n${text}`)

export const filePart = (name: string, filename: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    content,
  ])

function joinParts(parts: readonly Buffer[], boundary: string): Buffer {
  const begin = Buffer.from(`--${boundary}\r\n`)
  const end = Buffer.from('\r\n')
  return Buffer.concat([...parts.flatMap((part) => [begin, part, end]), Buffer.from(`--${boundary}--\r\n`)])
}
