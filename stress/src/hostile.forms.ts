import type { Schema } from './hostile.operations.ts'
import type { Random } from './hostile.random.ts'
import { valid, type FindId } from './hostile.schema.ts'
import { hostileText } from './hostile.values.ts'

/** A body and the type that it claims to be of. */
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

/** A multipart form, whole or broken in one of the ways in which forms break. */
export function hostileForm(schema: Schema, random: Random, find: FindId): Body {
  const boundary = `b${random.below(1e9)}`
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    if (name !== 'file') return random.chance(0.8) ? [field(name, fieldText(each, random, find, name))] : []
    const [usual, content] = random.pick(files)
    const own = random.chance(0.4) ? random.pick(names) : usual
    return random.chance(0.95) ? [filePart(name, own, content)] : []
  })
  const way = random.below(16)
  if (way === 0) parts.push(field('__proto__', 'x'), field('constructor', 'y'))
  if (way === 1) for (let i = 0; i < 60; i += 1) parts.push(field(`more${i}`, 'x'))
  if (way === 2) parts.push(filePart('file', 'second.csv', leads), filePart('other', 'third.csv', leads))
  if (way === 3) parts.push(Buffer.from('content-disposition: form-data\r\n\r\nno name'))
  if (way === 4) parts.push(Buffer.from('x: y\r\n\r\nno disposition'), Buffer.from('no head at all'))
  if (way === 5) parts.push(field('description', 'd'.repeat(40_000)))
  if (way === 6) parts.push(Buffer.concat([Buffer.alloc(20_000, 'h'), Buffer.from(': x\r\n\r\nx')]))
  if (way === 7) parts.reverse()
  let bytes = joined(parts, boundary)
  if (way === 8) bytes = bytes.subarray(0, random.below(bytes.length))
  if (way === 9) bytes = joined(parts, 'another')
  if (way === 10) bytes = Buffer.alloc(0)
  if (way === 11) bytes = Buffer.concat([Buffer.from('preamble\r\n'), bytes, Buffer.from('epilogue')])
  if (way === 12) bytes = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  const claims = [`; boundary=${boundary}`, `; boundary="${boundary}"; charset=utf-7`]
  const broken = ['', '; boundary=', `; boundary=${'x'.repeat(300)}`, '; boundary="', ';;;']
  return { type: `multipart/form-data${random.pick(way === 13 ? broken : claims)}`, bytes }
}

function fieldText(schema: Schema, random: Random, find: FindId, name: string): string {
  return random.chance(0.5) ? String(valid(schema, random, find, name)) : hostileText(random)
}

/** Fields as an HTML form sends them, one of them hostile; for calls that take several kinds of bodies. */
export function plainForm(body: Record<string, unknown>, boundary: string): Body {
  const parts = Object.entries(body).map(([name, value]) => field(name, String(value)))
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: joined(parts, boundary) }
}

const field = (name: string, text: string) =>
  Buffer.from(`content-disposition: form-data; name="${name}"\r\n\r\n${text}`)

const filePart = (name: string, filename: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    content,
  ])

function joined(parts: readonly Buffer[], boundary: string): Buffer {
  const begin = Buffer.from(`--${boundary}\r\n`)
  const end = Buffer.from('\r\n')
  return Buffer.concat([...parts.flatMap((part) => [begin, part, end]), Buffer.from(`--${boundary}--\r\n`)])
}
