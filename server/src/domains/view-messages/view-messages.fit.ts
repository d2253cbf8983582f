/** The lines of a message. `title` stands above the rows. */
interface MessageLines {
  readonly head: readonly string[]
  /** The totals with their heading; empty without totals. */
  readonly total: readonly string[]
  readonly title: string
  readonly rows: readonly string[]
  /** The lines after `shown` rows. */
  readonly writeTail: (shown: number) => readonly string[]
  readonly maxLength: number
}

/** Joins the lines of a message. It leaves out the last rows that exceed `maxLength`, and then the tail. */
export function fitText({ head, total, title, rows, writeTail, maxLength }: MessageLines): string {
  for (let shown = rows.length; shown >= 0; shown -= 1) {
    const top = shown === 0 ? [] : ['', title, ...rows.slice(0, shown)]
    const text = [...head, ...total, ...top, ...writeTail(shown)].join('\n')
    if (text.length <= maxLength) return text
  }
  // Only a very long address of a view comes here. The link alone would be useless when it is cut.
  return [...head, ...total].join('\n').slice(0, maxLength)
}
