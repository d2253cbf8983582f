import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const files = import.meta.glob<string>(
  [
    '../../**/*.{ts,tsx}',
    '!../../**/*.test.ts',
    '!../../**/*.texts.ts',
    '!../../components/texts.ts',
    '!./language.ts',
  ],
  { eager: true, query: '?raw', import: 'default' },
)
const texts = import.meta.glob<string>(['../../**/*.texts.ts', '../../components/texts.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** The demo's rows, which stand for data, and the name in the logo. */
const dataFiles = /\/components-demo\/|\/brand\.tsx$/

/** Attributes whose values people read or hear. */
const readAttributes =
  /^(label|title|alt|placeholder|hint|text|header|aria-label|aria-description|emptyText|message)$/

type Named = { name?: string }
type Node = { type: string; value?: unknown; name?: Named; key?: Named; [part: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Finds texts in the code itself: between tags, in attributes that people read, or in Cyrillic anywhere. */
function findLiterals(node: unknown, literals: string[] = []): string[] {
  if (Array.isArray(node)) for (const child of node) findLiterals(child, literals)
  if (!isNode(node)) return literals
  const text = typeof node.value === 'string' ? node.value : ''
  if (node.type === 'JSXText' && /\p{L}/u.test(text)) literals.push(text.trim())
  const name = node.type === 'JSXAttribute' ? node.name : node.type === 'Property' ? node.key : undefined
  if (readAttributes.test(name?.name ?? '') && isNode(node.value)) {
    const { value } = node.value
    if (typeof value === 'string' && /\p{L}/u.test(value)) literals.push(value)
  }
  if (node.type === 'Literal' && /\p{Script=Cyrillic}/u.test(text)) literals.push(text)
  if (node.type === 'TemplateElement' && /\p{Script=Cyrillic}/u.test(JSON.stringify(node.value)))
    literals.push(JSON.stringify(node.value))
  for (const value of Object.values(node)) if (typeof value === 'object') findLiterals(value, literals)
  return literals
}

test('no component holds a text outside of the text files', () => {
  expect(Object.keys(files).length).toBeGreaterThan(100)
  const literals = Object.entries(files).flatMap(([file, source]) =>
    dataFiles.test(file)
      ? []
      : findLiterals(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).map(
          (text) => `${file}: ${text}`,
        ),
  )
  expect(literals).toEqual([])
})

test('the search for literals finds text between tags, in read attributes and in Cyrillic', () => {
  const source = `[<p title="Hint" className="x">Words {a} <b label={'Ещё'} data-x="y" /></p>, { header: 'Name', to: 'Name' }]`
  expect(findLiterals(parseAst(source, { lang: 'tsx' }))).toEqual(['Hint', 'Words', 'Ещё', 'Name'])
})

test('every text file is translated', () => {
  const untranslatedTexts = Object.entries(texts).flatMap(([file, source]) =>
    [...source.matchAll(/^export const (\w+)[^=]*=\s*(\w*)/gm)].flatMap(([, name = '', creator = '']) =>
      /^(defineMessages|createContext)$/.test(creator) ? [] : [`${file}: ${name}`],
    ),
  )
  expect(untranslatedTexts).toEqual([])
})
