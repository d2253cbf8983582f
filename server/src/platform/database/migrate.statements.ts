export interface Statement {
  text: string
  /** Line of its first character in the file, from 1. */
  line: number
}

// Comments, quoted names, strings (also E'' with backslashes) and dollar quotes hold no end of statement.
const PIECES =
  /--[^\n]*|\/\*[^]*?\*\/|"(?:[^"]|"")*"|\b[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|(\$(?:[A-Za-z_]\w*)?\$)[^]*?\1|;/g

/** The statements of an SQL file, in order, without empty ones. `begin atomic` bodies are not understood. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = []
  let start = 0
  for (const piece of sql.matchAll(PIECES)) {
    if (piece[0] !== ';') continue
    push(sql, start, piece.index, statements)
    start = piece.index + 1
  }
  push(sql, start, sql.length, statements)
  return statements
}

function push(sql: string, start: number, end: number, into: Statement[]): void {
  const raw = sql.slice(start, end)
  const skipped = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/.exec(raw)?.[0].length ?? 0
  const text = raw.slice(skipped).trimEnd()
  if (text === '') return
  into.push({ text, line: sql.slice(0, start + skipped).split('\n').length })
}
