import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { resources } from '@karvon/contract/registry.ts'
import { resourceTexts } from '../../resources/resource.texts.ts'
import { previewTexts } from '../../features/parcels/order-preview.texts.ts'
import { createTranslator, type Catalogue } from './catalogue.ts'
import en from './en.json'
import { languages } from './language.ts'
import ru from './ru.json'
import uz from './uz.json'

type ContextText = { text: string; place: string }

/** Sample arguments for functions of texts. An argument of the wrong type throws or shows in the result. */
const samples: readonly unknown[] = [5, 1, 0, 'xq', 'created', ['xq'], null]

function* combinations(length: number): Generator<unknown[]> {
  if (length === 0) yield []
  else
    for (const rest of combinations(length - 1)) {
      // With many parameters two samples are enough.
      for (const sample of length > 3 ? samples.slice(0, 2) : samples) yield [sample, ...rest]
    }
}

function collectResults(text: (...given: unknown[]) => unknown): string[] {
  const answers = new Set<string>()
  for (const given of combinations(text.length)) {
    try {
      const answer = text(...given)
      if (typeof answer === 'string' && !/undefined|NaN|null/.test(answer)) answers.add(answer)
    } catch {
      // The function does not accept these arguments.
    }
  }
  return [...answers]
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return collectResults(value as (...given: unknown[]) => unknown)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : []
}

const sources = import.meta.glob<string>(['../../**/*.texts.ts', '../../components/texts.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const modules = import.meta.glob<Record<string, unknown>>(
  ['../../**/*.texts.ts', '../../components/texts.ts'],
  {
    eager: true,
  },
)

/** All texts of the `*.texts.ts` files. */
const webTexts = Object.entries(modules).flatMap(([file, exported]) => {
  const place = /translateInContext\('([^']+)'/.exec(sources[file] ?? '')?.[1] ?? ''
  const { useUiTexts: _, UiTextsContext: __, ...texts } = exported
  // The negations of labels are checked label by label, below.
  return collectTexts(texts).flatMap((text) => (/^Not (xq|created)$/.test(text) ? [] : [{ text, place }]))
})

/** All texts of the contract's declarations, and the sentences with their nouns. */
const declared = resources.flatMap(({ name, title, noun, fields }) => {
  const { create, edit, rowFailed, saveFailed, saved, confirmRemove, removeFailed, notFound } = resourceTexts
  const about = [create, edit, rowFailed, saveFailed, saved, confirmRemove, removeFailed, notFound]
  const labels = Object.values(fields).flatMap((field) =>
    field.kind === 'alias'
      ? []
      : [
          field.label,
          ...(field.kind === 'boolean' ? [resourceTexts.off(field.label)] : []),
          ...Object.values(field.options ?? {}),
          ...(field.emptyLabel === undefined ? [] : [field.emptyLabel]),
        ],
  )
  return [title, ...labels, ...about.map((say) => say(noun.one)), resourceTexts.loadFailed(noun.many)].map(
    (text) => ({ text, place: name }),
  )
})

/** Sample messages of the server. */
const used = [...resources.map(({ noun }) => noun), { one: 'lead', many: 'leads' }].flatMap(({ one, many }) =>
  [`Used by 2 ${many}.`, `Used by 1 ${one}.`].map((text) => ({ text, place: '' })),
)

/** The texts that the preview makes of the server's messages about a file. */
const previewed = [
  'is required',
  'is not a number',
  'must not be negative',
  'must be a whole number',
  'has more than 2 decimals',
  'is too large',
  'is not a day such as 2026-11-21',
  'is not a day that exists',
  'is longer than 255 characters',
  'holds a character that cannot be stored',
  'stands in the file twice',
  'comes after 5 others: split the file',
  'The workbook is damaged',
  'The workbook could not be read in time',
  'The file is empty.',
  'The file is larger than 20 MB.',
  'The content of the file is not what .xlsx promises.',
  'The file is damaged or not an office document.',
  'The file unpacks to more than is taken.',
].map((sentence) => ({ text: previewTexts.reason(sentence), place: '' }))

const units = ['kB', 'MB', 'GB', 'кБ', 'МБ', 'ГБ'].map((text) => ({ text, place: '' }))

const all: readonly ContextText[] = [...units, ...webTexts, ...declared, ...used, ...previewed]

/** Names, formats and units that are the same in every language. */
const names =
  /Karvon Express|Karvon|CPA|CSV|csv|Excel|xlsx|URL|API|QR|JSON|HTTP|https?:\/\/|Telegram|[Ee]mail|Ctrl [CK]|UZS|\bOK\b|\bID\b|\bx\b|[\w-]+\.txt/g
// A size already has its unit here.
const values = /\bxq\b|\bcreated\b|[kMGкМГ][BБ]|\{?sub\d+\}?|\{click\}|\bru\b/gi
const bare = (text: string) => text.replace(values, '').replace(names, '')

const cyrillic = /\p{Script=Cyrillic}/u
const latin = /\p{Script=Latin}/u
const cases: readonly { language: string; catalogue: Catalogue; asks: RegExp; refuses: RegExp }[] = [
  { language: 'ru', catalogue: ru, asks: latin, refuses: latin },
  { language: 'uz', catalogue: uz, asks: /\p{L}/u, refuses: cyrillic },
  // The toasts of the default mix have Uzbek titles.
  { language: 'en', catalogue: en, asks: /\p{Script=Cyrillic}|Muvaffaqiyat|Xatolik/u, refuses: cyrillic },
]

test('texts were found to look at', () => {
  expect(Object.keys(modules).length).toBeGreaterThan(25)
  expect(all.length).toBeGreaterThan(1000)
  expect(Object.keys(languages)).toEqual(['', ...cases.map(({ language }) => language)])
})

describe.each(cases)('$language', ({ language, catalogue, asks, refuses }) => {
  const usedKeys = new Set<string>()
  let hit = false
  const translate = createTranslator(catalogue, language, (key) => {
    hit = true
    usedKeys.add(key)
  })
  const missing = all.filter(({ text, place }) => {
    hit = false
    const shown = translate(text, place)
    return asks.test(bare(text)) && (!hit || refuses.test(bare(shown)))
  })

  test('has every text of the product', () => {
    expect([...new Set(missing.map(({ text }) => text))]).toEqual([])
  })

  test('has nothing that neither the web nor the server says', () => {
    const said = serverSources()
    const stale = Object.keys(catalogue).filter((key) => {
      const parts = key.split(/\{\d\}|<\d>/).map((part) => part.trim())
      return !usedKeys.has(key) && !said.some((source) => parts.every((part) => source.includes(part)))
    })
    expect(stale).toEqual([])
  })

  test('has all plural forms, and no value that its text has not', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.length
    for (const [key, said] of Object.entries(catalogue)) {
      // The plural form for decimals (Russian `other`) is never used.
      if (typeof said !== 'string') expect(said.length, key).toBe(language === 'ru' ? forms - 1 : forms)
      const holes = key.match(/\{\d\}|<\d>/g)?.length ?? 0
      const checkedTexts = [said]
        .flat()
        .flatMap((each) => [...each.matchAll(/[{[](\d)[\]}]/g)].map(([, at]) => Number(at)))
      expect(Math.max(-1, ...checkedTexts), key).toBeLessThan(holes)
    }
  })
})

function serverSources(): string[] {
  const root = path.resolve(import.meta.dirname, '../../../../server/src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
}
