import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { fillText } from '../../platform/texts/texts.ts'
import { messageTexts } from './view-messages.texts.ts'

/** The lines of a message. `title` is above the rows. */
interface MessageLines {
  readonly head: readonly string[]
  /** The totals with their heading; empty without totals. */
  readonly total: readonly string[]
  readonly title: string
  readonly rows: readonly string[]
  /** The lines after the first `rowCount` rows. */
  readonly writeTail: (rowCount: number) => readonly string[]
  readonly maxLength: number
}

/** Joins the lines of a message. It leaves out the last rows that exceed `maxLength`, and then the tail. */
export function fitText({ head, total, title, rows, writeTail, maxLength }: MessageLines): string {
  // Beside a very long address of a view there is no room for a row. The link would be useless when it is cut.
  for (const write of [writeTail, () => []])
    for (let rowCount = rows.length; rowCount >= 0; rowCount -= 1) {
      const top = rowCount === 0 ? [] : ['', title, ...rows.slice(0, rowCount)]
      const text = [...head, ...total, ...top, ...write(rowCount)].join('\n')
      if (text.length <= maxLength) return text
    }
  return [...head, ...total].join('\n').slice(0, maxLength)
}

/** The first lines of filters that take a third of a message, and the number of the other filters. */
export function fitFilters(
  lines: readonly string[],
  { language, maxLength }: { language: PersonLanguage; maxLength: number },
): readonly string[] {
  let length = 0
  const count = lines.findIndex((line) => (length += line.length + 1) > maxLength / 3)
  if (count === -1) return lines
  const filters = lines.length - count
  return [...lines.slice(0, count), fillText(messageTexts.otherFilters, language, { filters })]
}
