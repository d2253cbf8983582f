import { openPromise } from 'yauzl'

/** The first bytes of a sheet, which have its dimension if it is declared. */
const headBytes = 4096
const dimensionPattern = /<dimension [^>]*ref="[A-Z]+\d+:[A-Z]+(\d+)"/

/**
 * Reads the row count that the first sheet of a workbook declares; null without a declaration, for instance from
 * programs that stream rows. The file must have passed {@link checkContent}.
 */
export async function readDeclaredRowCount(path: string): Promise<number | null> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue
      let text = ''
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        text += chunk.toString('latin1')
        if (text.length >= headBytes) break
      }
      const rows = Number(dimensionPattern.exec(text)?.[1])
      return rows > 0 ? rows : null
    }
    return null
  } finally {
    zip.close()
  }
}
