import { calls } from '@karvon/contract/registry.ts'
import { expect, test } from 'vitest'

interface Shape {
  pattern?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/** The patterns of a schema. */
function listPatterns({ pattern, anyOf = [], items, properties = {} }: Shape): string[] {
  const inner = [...anyOf, ...(items === undefined ? [] : [items]), ...Object.values(properties)]
  return [...(pattern === undefined ? [] : [pattern]), ...inner.flatMap(listPatterns)]
}

// A validation tests a pattern on the whole body of a request, also if the text is longer than its field.
test('every pattern takes linear time', () => {
  const patterns = new Set(
    calls.flatMap(({ params, query, body }) =>
      [params, query, body].flatMap((schema) => (schema === undefined ? [] : listPatterns(schema))),
    ),
  )
  const buildTexts = (length: number) =>
    ['a', '0', ' ', '/', '@', '.', '-', '\u200B'].flatMap((character) =>
      ['', 'http://a', 'a@'].flatMap((start) =>
        ['', '\n', ' ', '!'].map((end) => start + character.repeat(length) + end),
      ),
    )
  const [shortTexts, longTexts] = [buildTexts(1000), buildTexts(16_000)]
  const measure = (expression: RegExp, text: string) => {
    const start = performance.now()
    expression.test(text)
    return performance.now() - start
  }
  const slowPatterns = [...patterns].filter((pattern) => {
    const expression = new RegExp(pattern, 'u')
    // Quadratic time is 256 times as long.
    const shortest = Math.max(0.2, ...shortTexts.map((text) => measure(expression, text)))
    // Another process may interrupt some of the measurements.
    return longTexts.some((text) => [1, 2, 3, 4, 5].every(() => measure(expression, text) > 100 * shortest))
  })
  expect(slowPatterns).toEqual([])
})
