import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const files = import.meta.glob<string>(
  ['../../**/*.{ts,tsx}', '!../../**/*.test.ts', '!../../**/*.texts.ts', '!../texts.ts', '!./language.ts'],
  { eager: true, query: '?raw', import: 'default' },
)
const texts = import.meta.glob<string>(['../../**/*.texts.ts', '../../components/texts.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** The demo's rows, which stand for data, and the name on the logo. */
const data = /\/components-demo\/|\/brand\.tsx$/

/** Attributes whose value a person reads or hears. */
const read = /^(label|title|alt|placeholder|hint|text|header|aria-label|aria-description|emptyText|message)$/

type Named = { name?: string }
type Node = { type: string; value?: unknown; name?: Named; key?: Named; [part: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Texts that stand in the code itself: between tags, where something that is read is given, or in Cyrillic anywhere. */
function literalsIn(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const each of node) literalsIn(each, found)
  if (!isNode(node)) return found
  const said = typeof node.value === 'string' ? node.value : ''
  if (node.type === 'JSXText' && /\p{L}/u.test(said)) found.push(said.trim())
  const name = node.type === 'JSXAttribute' ? node.name : node.type === 'Property' ? node.key : undefined
  if (read.test(name?.name ?? '') && isNode(node.value)) {
    const { value } = node.value
    if (typeof value === 'string' && /\p{L}/u.test(value)) found.push(value)
  }
  if (node.type === 'Literal' && /\p{Script=Cyrillic}/u.test(said)) found.push(said)
  if (node.type === 'TemplateElement' && /\p{Script=Cyrillic}/u.test(JSON.stringify(node.value)))
    found.push(JSON.stringify(node.value))
  for (const value of Object.values(node)) if (typeof value === 'object') literalsIn(value, found)
  return found
}

test('no text stands outside of the texts', () => {
  expect(Object.keys(files).length).toBeGreaterThan(100)
  const found = Object.entries(files).flatMap(([file, source]) =>
    data.test(file)
      ? []
      : literalsIn(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).map(
          (text) => `${file}: ${text}`,
        ),
  )
  expect(found).toEqual([])
})

test('a text between tags, one that is read and one in Cyrillic are found', () => {
  const source = `[<p title="Hint" className="x">Words {a} <b label={'Ещё'} data-x="y" /></p>, { header: 'Name', to: 'Name' }]`
  expect(literalsIn(parseAst(source, { lang: 'tsx' }))).toEqual(['Hint', 'Words', 'Ещё', 'Name'])
})

test('every file of texts speaks the picked language', () => {
  const silent = Object.entries(texts).flatMap(([file, source]) =>
    [...source.matchAll(/^export const (\w+)[^=]*=\s*(\w*)/gm)].flatMap(([, name = '', made = '']) =>
      /^(speak|speakAt|createContext)$/.test(made) ? [] : [`${file}: ${name}`],
    ),
  )
  expect(silent).toEqual([])
})
