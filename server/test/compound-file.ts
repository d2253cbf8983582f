// Minimal compound files ([MS-CFB]) with BIFF8 records ([MS-XLS]).

const SECTOR = 512
const FREE = 0xffffffff
const END = 0xfffffffe
const FAT = 0xfffffffd

/** Builds a compound file with one stream of at least 4,096 bytes. Smaller streams have another format. */
export function buildCompoundFile(name: string, content: Buffer): Buffer {
  const stream = Buffer.concat([content, Buffer.alloc(Math.max(0, 4096 - content.length))])
  const sectors = Math.ceil(stream.length / SECTOR)
  if (sectors > 125) throw new Error('One allocation table holds 128 sectors')
  const header = Buffer.alloc(SECTOR, 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(END, 60)
  header.writeUInt32LE(END, 68)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(SECTOR, 0xff)
  table.writeUInt32LE(FAT, 0)
  table.writeUInt32LE(END, 4)
  for (let i = 0; i < sectors; i++) table.writeUInt32LE(i === sectors - 1 ? END : i + 3, (i + 2) * 4)
  const directory = Buffer.concat([
    buildDirectoryEntry('Root Entry', 5, 1, END, 0),
    buildDirectoryEntry(name, 2, FREE, 2, stream.length),
    Buffer.alloc(256),
  ])
  return Buffer.concat([header, table, directory, stream, Buffer.alloc(sectors * SECTOR - stream.length)])
}

function buildDirectoryEntry(name: string, type: number, child: number, start: number, size: number): Buffer {
  const entry = Buffer.alloc(128)
  entry.write(name, 0, 'utf16le')
  entry.writeUInt16LE((name.length + 1) * 2, 64)
  entry[66] = type
  entry[67] = 1
  entry.writeUInt32LE(FREE, 68)
  entry.writeUInt32LE(FREE, 72)
  entry.writeUInt32LE(child, 76)
  entry.writeUInt32LE(start, 116)
  entry.writeUInt32LE(size, 120)
  return entry
}

type XlsRows = readonly (readonly (string | number | null)[])[]

/** Builds an Excel 97 workbook with one sheet. */
export const buildXls = (rows: XlsRows): Buffer => buildXlsSheets([{ rows }])

/** Builds an Excel 97 workbook with several sheets. */
export function buildXlsSheets(
  sheets: readonly { rows: XlsRows; isHidden?: boolean; isChart?: boolean }[],
): Buffer {
  const version = [0x00, 0x06]
  const buildStart = (type: number) =>
    buildRecord(2057, Buffer.from([...version, type, 0, ...Array<number>(12).fill(0)]))
  const end = buildRecord(10, Buffer.alloc(0))
  const contents = sheets.map(({ rows }) => {
    const cells = rows.flatMap((row, y) =>
      row.flatMap((value, x) => (value === null ? [] : [buildCellRecord(y, x, value)])),
    )
    return Buffer.concat([buildStart(16), ...cells, end])
  })
  const sheetName = Buffer.from('Sheet')
  const start = buildStart(5)
  const boundSheetLength = 12 + sheetName.length
  let position = start.length + sheets.length * boundSheetLength + end.length
  const boundSheets = sheets.map(({ isHidden = false, isChart = false }, n) => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(position, 0)
    head[4] = isHidden ? 1 : 0
    head[5] = isChart ? 2 : 0
    head[6] = sheetName.length
    position += contents[n]?.length ?? 0
    return buildRecord(133, Buffer.concat([head, sheetName]))
  })
  return buildCompoundFile('Workbook', Buffer.concat([start, ...boundSheets, end, ...contents]))
}

function buildCellRecord(row: number, column: number, value: string | number): Buffer {
  const place = Buffer.alloc(6)
  place.writeUInt16LE(row, 0)
  place.writeUInt16LE(column, 2)
  if (typeof value === 'number') {
    const number = Buffer.alloc(8)
    number.writeDoubleLE(value)
    return buildRecord(515, Buffer.concat([place, number]))
  }
  const length = Buffer.alloc(3)
  length.writeUInt16LE(value.length, 0)
  length[2] = 1
  return buildRecord(516, Buffer.concat([place, length, Buffer.from(value, 'utf16le')]))
}

function buildRecord(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}
