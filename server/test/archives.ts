import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive. `declared`: a false unpacked size. `packed`: compressed bytes. */
export interface ArchiveEntry {
  name: string
  content?: Buffer | string
  declared?: number
  packed?: { bytes: Buffer; size: number }
}

/** Builds a zip archive. */
export function buildArchive(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '')
    const bytes = entry.packed?.bytes ?? deflateRawSync(content)
    const size = entry.declared ?? entry.packed?.size ?? content.length
    const name = Buffer.from(entry.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, bytes])
    const central = Buffer.alloc(16)
    central.writeUInt32LE(offset, 10 + 2)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, central.subarray(2), name]),
    )
    parts.push(local)
    offset += local.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directoryBytes, end])
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Builds the parts of a workbook with one sheet. */
export function buildWorkbookParts(sheet: string): ArchiveEntry[] {
  const relationship = (id: string, type: string, target: string) =>
    `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/></Relationships>`
  return [
    {
      name: '[Content_Types].xml',
      content: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relationship('rId1', 'officeDocument', 'xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationship('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ]
}

/** Builds the XML of a sheet with texts. A row is its number and its cells by column letter. */
export function buildSheetXml(
  rows: readonly (readonly [number, Readonly<Record<string, string>>])[],
  dimension = 'A1',
): string {
  const cell = (reference: string, text: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
  const body = rows.map(
    ([number, cells]) =>
      `<row r="${number}">${Object.entries(cells)
        .map(([column, text]) => cell(`${column}${number}`, text))
        .join('')}</row>`,
  )
  return `${xml}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="${dimension}"/><sheetData>${body.join('')}</sheetData></worksheet>`
}

/** Builds a workbook with one sheet of texts, with the rows of {@link buildSheetXml}. */
export const buildWorkbook = (rows: Parameters<typeof buildSheetXml>[0]): Buffer =>
  buildArchive(buildWorkbookParts(buildSheetXml(rows)))

/** Builds a minimal Word document. */
export const buildWordDocument = (): Buffer =>
  buildArchive([
    { name: '[Content_Types].xml', content: `${xml}<Types/>` },
    { name: 'word/document.xml', content: `${xml}<document/>` },
  ])

export const buildPdf = (): Buffer => Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
