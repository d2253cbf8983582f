import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { parseExactJson } from '../http/exact-json.ts'

export type AnswerFormat = 'xml' | 'json'

/** The parsed value, or why the answer was not parsed. */
export type ParsedAnswer = { value: unknown } | { problem: 'malformed' | 'doctype' | 'too_deep' | 'too_many' }

/** Levels of nested elements or values. */
const maxDepth = 64
/** Elements or members. */
const maxParts = 500_000

// All values stay text: an order number may begin with zeros.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // Decodes character references such as &#1040; too.
  htmlEntities: true,
})

/** Checks the number and the depth of the parts of an answer in one pass, and then parses it. */
export function parseText(format: AnswerFormat, text: string): ParsedAnswer {
  if (format === 'xml' && /<!DOCTYPE/i.test(text)) return { problem: 'doctype' }
  const problem = format === 'xml' ? checkXmlSize(text) : checkJsonSize(text)
  if (problem !== null) return { problem }
  try {
    if (format === 'json') return { value: parseExactJson(text) }
    if (XMLValidator.validate(text) !== true) return { problem: 'malformed' }
    return { value: parser.parse(text) as unknown }
  } catch {
    return { problem: 'malformed' }
  }
}

type Excess = 'too_deep' | 'too_many' | null

function checkXmlSize(text: string): Excess {
  let depth = 0
  let parts = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const afterNonTag = skipNonTag(text, at)
    if (afterNonTag !== undefined) {
      at = afterNonTag
      continue
    }
    const end = findTagEnd(text, at)
    if (text[at + 1] === '/') depth -= 1
    else if (text[end - 1] !== '/') depth += 1
    parts += 1
    if (depth > maxDepth) return 'too_deep'
    if (parts > maxParts) return 'too_many'
    at = end
  }
  return null
}

/** The end of a comment, CDATA or a processing instruction; undefined for a tag. */
function skipNonTag(text: string, at: number): number | undefined {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(begin, at)) continue
    const endIndex = text.indexOf(end, at + begin.length)
    return endIndex === -1 ? text.length : endIndex
  }
  return undefined
}

/** The position of the `>` that ends a tag. A `>` in the quotes of an attribute does not count. */
function findTagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return text.length
}

function checkJsonSize(text: string): Excess {
  let depth = 0
  let parts = 0
  let inText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inText) {
      if (sign === '\\') at += 1
      else if (sign === '"') inText = false
    } else if (sign === '"') inText = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    else if (sign === ',') parts += 1
    if (depth > maxDepth) return 'too_deep'
    if (parts > maxParts) return 'too_many'
  }
  return null
}
