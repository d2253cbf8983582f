const blankPattern = /[ \t\r\n]*/y
// oxlint-disable-next-line no-control-regex -- JSON's strings hold none
const stringPattern = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y
const scalarPattern = new RegExp(
  `${stringPattern.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
)

/** A position in a text. Both count from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

class JsonSyntaxError extends Error {
  readonly at: number
  constructor(index: number) {
    super()
    this.at = index
  }
}

/**
 * The position of the first JSON syntax error, or null for valid JSON. The messages of browsers differ and
 * may lack it.
 */
export function findJsonError(source: string): TextPosition | null {
  try {
    const end = skipPattern(source, skipValue(source, 0), blankPattern)
    if (end === source.length) return null
    return getPosition(source, end)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return getPosition(source, error.at)
    // The nesting exceeds the stack. No person writes such a text.
    if (error instanceof RangeError) return null
    throw error
  }
}

function getPosition(source: string, index: number): TextPosition {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** The index after a match of `pattern` at `index`. Throws when the pattern does not match. */
function skipPattern(source: string, index: number, pattern: RegExp): number {
  pattern.lastIndex = index
  if (!pattern.test(source)) throw new JsonSyntaxError(index)
  return pattern.lastIndex
}

function skipCharacter(source: string, index: number, character: string): number {
  const start = skipPattern(source, index, blankPattern)
  if (source[start] !== character) throw new JsonSyntaxError(start)
  return start + 1
}

function skipValue(source: string, index: number): number {
  const start = skipPattern(source, index, blankPattern)
  if (source[start] === '{') return skipList(source, start + 1, { end: '}', skipItem: skipMember })
  if (source[start] === '[') return skipList(source, start + 1, { end: ']', skipItem: skipValue })
  return skipPattern(source, start, scalarPattern)
}

const skipMember = (source: string, index: number): number =>
  skipValue(
    source,
    skipCharacter(source, skipPattern(source, skipPattern(source, index, blankPattern), stringPattern), ':'),
  )

function skipList(
  source: string,
  index: number,
  { end, skipItem }: { end: string; skipItem: typeof skipValue },
): number {
  let next = skipPattern(source, index, blankPattern)
  if (source[next] === end) return next + 1
  for (;;) {
    next = skipPattern(source, skipItem(source, next), blankPattern)
    if (source[next] === end) return next + 1
    next = skipCharacter(source, next, ',')
  }
}
