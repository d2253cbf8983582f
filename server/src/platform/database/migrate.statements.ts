export interface MigrationStatement {
  text: string
  /** Line of its first character in the file, from 1. */
  line: number
}

// A semicolon in comments, quoted names, strings (also E'' with backslashes) and dollar quotes does not end a
// statement.
const tokenPattern =
  /--[^\n]*|\/\*[^]*?\*\/|"(?:[^"]|"")*"|\b[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|(\$(?:[A-Za-z_]\w*)?\$)[^]*?\1|;/g

/** Splits an SQL file into statements, without empty ones. It does not support `begin atomic` bodies. */
export function splitStatements(sql: string): MigrationStatement[] {
  const statements: MigrationStatement[] = []
  let start = 0
  for (const token of sql.matchAll(tokenPattern)) {
    if (token[0] !== ';') continue
    pushStatement(sql, { start, end: token.index, into: statements })
    start = token.index + 1
  }
  pushStatement(sql, { start, end: sql.length, into: statements })
  return statements
}

function pushStatement(
  sql: string,
  { start, end, into }: { start: number; end: number; into: MigrationStatement[] },
): void {
  const statementText = sql.slice(start, end)
  const skippedLength = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/.exec(statementText)?.[0].length ?? 0
  const text = statementText.slice(skippedLength).trimEnd()
  if (text === '') return
  into.push({ text, line: sql.slice(0, start + skippedLength).split('\n').length })
}
