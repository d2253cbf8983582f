import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { parseExactJson } from '../http/exact-json.ts'

export type AnswerFormat = 'xml' | 'json'

/** The parsed value, or why the answer was not parsed. */
export type ParsedAnswer =
  | { value: unknown }
  | { problem: 'malformed' | 'doctype' | 'too_deep' | 'too_many' | 'too_varied' }

/** Levels of nested elements or values. */
const maxDepth = 64
/** Tags of XML, or separators of JSON, before an answer is parsed. */
const maxParts = 500_000
/**
 * Values of a parsed answer, and different names of its members. Each costs time of the thread that receives the answer
 * from the worker: about 0.2 s with the maximum of both.
 */
const maxValues = 250_000
const maxNames = 1000

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

/** Checks the number and the depth of the parts of an answer in one pass, parses it, and checks the value. */
export function parseText(format: AnswerFormat, text: string): ParsedAnswer {
  if (format === 'xml' && /<!DOCTYPE/i.test(text)) return { problem: 'doctype' }
  const problem = format === 'xml' ? checkXmlSize(text) : checkJsonSize(text)
  if (problem !== null) return { problem }
  try {
    if (format === 'xml' && XMLValidator.validate(text) !== true) return { problem: 'malformed' }
    const value: unknown = format === 'json' ? parseExactJson(text) : parser.parse(text)
    const excess = checkValueSize(value)
    return excess === null ? { value } : { problem: excess }
  } catch {
    return { problem: 'malformed' }
  }
}

function checkValueSize(answer: unknown): 'too_many' | 'too_varied' | null {
  const names = new Set<string>()
  const waiting = [answer]
  for (let count = 1; waiting.length > 0;) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name)
    if (names.size > maxNames) return 'too_varied'
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += members.length
    if (count > maxValues) return 'too_many'
    for (const member of members) waiting.push(member)
  }
  return null
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
