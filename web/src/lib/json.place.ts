const blank = /[ \t\r\n]*/y
// oxlint-disable-next-line no-control-regex -- JSON's strings hold none
const text = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y
const scalar = new RegExp(
  `${text.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
)

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

class Fault extends Error {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
}

/** Where a text stops being JSON; null where it is JSON. Browsers say that in words of their own, or not at all. */
export function jsonFault(given: string): Place | null {
  try {
    const end = skip(given, value(given, 0), blank)
    if (end === given.length) return null
    return placeOf(given, end)
  } catch (error) {
    if (error instanceof Fault) return placeOf(given, error.at)
    // Nested deeper than anybody writes by hand.
    if (error instanceof RangeError) return null
    throw error
  }
}

function placeOf(given: string, at: number): Place {
  const lines = given.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** The index behind what stands at `at`; throws where that is something else. */
function skip(given: string, at: number, what: RegExp): number {
  what.lastIndex = at
  if (!what.test(given)) throw new Fault(at)
  return what.lastIndex
}

function mark(given: string, at: number, character: string): number {
  const start = skip(given, at, blank)
  if (given[start] !== character) throw new Fault(start)
  return start + 1
}

function value(given: string, at: number): number {
  const start = skip(given, at, blank)
  if (given[start] === '{') return list(given, start + 1, '}', member)
  if (given[start] === '[') return list(given, start + 1, ']', value)
  return skip(given, start, scalar)
}

const member = (given: string, at: number): number =>
  value(given, mark(given, skip(given, skip(given, at, blank), text), ':'))

function list(given: string, at: number, end: string, one: typeof value): number {
  let next = skip(given, at, blank)
  if (given[next] === end) return next + 1
  for (;;) {
    next = skip(given, one(given, next), blank)
    if (given[next] === end) return next + 1
    next = mark(given, next, ',')
  }
}
