import { openPromise } from 'yauzl'

/** Bytes at the beginning of a sheet among which its extent stands, if it says one. */
const head = 4096
const extent = /<dimension [^>]*ref="[A-Z]+\d+:[A-Z]+(\d+)"/

/**
 * How many rows the first sheet of a workbook says that it has; null where it does not. Programs that write a
 * sheet row by row cannot know beforehand. The file must have passed the check of its content.
 */
export async function rowsSaid(path: string): Promise<number | null> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue
      let text = ''
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        text += piece.toString('latin1')
        if (text.length >= head) break
      }
      const rows = Number(extent.exec(text)?.[1])
      return rows > 0 ? rows : null
    }
    return null
  } finally {
    zip.close()
  }
}
