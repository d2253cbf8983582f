import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { errorMessages } from '@karvon/contract/lib/error-messages.ts'
import { syncMessages } from '@karvon/contract/lib/sync-messages.ts'
import { fieldMessages } from '@karvon/contract/lib/field-messages.ts'
import type { Message } from '@karvon/contract/lib/message.ts'
import { uploadDelayMessages } from '@karvon/contract/uploads/uploads.ts'
import { resources } from '@karvon/contract/registry.ts'
import errorsRu from '../errors.ru.json'
import en from './en.json'
import { languages, type Catalogue } from './language.ts'
import ru from './ru.json'
import uz from './uz.json'

type MessageTree = { readonly [key: string]: Message | MessageTree }

const { messages } = vi.hoisted(() => ({ messages: new Map<string, Message>() }))

/** Records the messages of all `*.texts.ts` files with their ids. */
vi.mock('./messages.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./messages.ts')>()
  const record = (id: string, tree: MessageTree) => {
    for (const [key, value] of Object.entries(tree))
      if (isMessage(value)) messages.set(`${id}.${key}`, value)
      else record(`${id}.${key}`, value)
  }
  const isMessage = (value: Message | MessageTree): value is Message =>
    typeof value === 'string' || typeof value['other'] === 'string'
  return {
    ...original,
    defineMessages: (id: string, tree: MessageTree) => {
      record(id, tree)
      return original.defineMessages(id, tree)
    },
  }
})

const files = import.meta.glob(['../../**/*.texts.ts', '../../components/texts.ts'], { eager: true })

for (const [code, { text }] of Object.entries(errorMessages)) messages.set(`error.${code}`, text)
for (const [code, text] of Object.entries(fieldMessages)) messages.set(`error.${code}`, text)
for (const [code, text] of Object.entries(syncMessages)) messages.set(`error.${code}`, text)
for (const [code, text] of Object.entries(uploadDelayMessages)) messages.set(`error.${code}`, text)
for (const { title, noun, fields } of resources) {
  for (const text of [noun.one, noun.many]) messages.set(`noun.${text}`, text)
  const labels = Object.values(fields).flatMap((field) =>
    field.kind === 'alias'
      ? []
      : [field.label, ...Object.values(field.options ?? {}), field.emptyLabel ?? []],
  )
  for (const text of [title, ...labels.flat()]) messages.set(`label.${text}`, text)
  for (const field of Object.values(fields))
    if (field.kind === 'boolean' && field.label !== 'Active') {
      const text = `Not ${field.label.toLowerCase()}`
      messages.set(`label.not.${field.label}`, text)
    }
}

/** Errors that only a program meets. Their screens do not exist. */
const programErrors =
  /^error\.(request_unreadable|several_hosts|unknown_expectation|too_many_parameters|method_not_allowed|address_too_long|body_\w+|metrics_\w+|web_not_built|postback_method)$/

/** Names, formats and units that are the same in every language. */
const names =
  /Karvon Express|Karvon|KARVON_\w+|CPA|CSV|csv|Excel|xlsx|URL|API|QR|JSON|HTTP|https?|UTF-8|UUID|UZS|Telegram|[Ee]mail|Idempotency-Key|Ctrl [CK]|name@example\.com|T09|\bOK\b|\bID\b|\bx\b|[\w-]+\.txt/g
const getWords = (text: string) => text.replace(/\{\w+(?:, number)?\}/g, '').replace(names, '')

const listForms = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const listParams = (message: Message): readonly string[] => [
  ...new Set(
    listForms(message).flatMap((text) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name ?? '')),
  ),
]

const cyrillic = /\p{Script=Cyrillic}/u
const latin = /\p{Script=Latin}/u
const cases: readonly { language: string; catalogue: Catalogue; needed: RegExp; refused: RegExp }[] = [
  { language: 'ru', catalogue: ru, needed: latin, refused: latin },
  { language: 'uz', catalogue: uz, needed: /\p{L}/u, refused: cyrillic },
  // The toasts of the mix have Uzbek titles.
  { language: 'en', catalogue: en, needed: /\p{Script=Cyrillic}|Muvaffaqiyat|Xatolik/u, refused: cyrillic },
]

test('the messages of all texts files are collected', () => {
  expect(Object.keys(files).length).toBeGreaterThan(25)
  expect(messages.size).toBeGreaterThan(1000)
  expect(Object.keys(languages)).toEqual(['', ...cases.map(({ language }) => language)])
})

test('the Russian screens of the mix use the words of the Russian catalogue for errors', () => {
  expect(ru).toMatchObject(errorsRu)
})

describe.each(cases)('the catalogue of $language', ({ language, catalogue, needed, refused }) => {
  test(`the ${language} catalogue has every message that another script or language needs`, () => {
    const missing = [...messages].filter(([id, message]) => {
      const isNeeded = listForms(message).some((text) => needed.test(getWords(text)))
      return isNeeded && catalogue[id] === undefined && !programErrors.test(id)
    })
    expect(missing).toEqual([])
  })

  test(`the ${language} catalogue has no words in the script of another language`, () => {
    const wrong = Object.entries(catalogue).filter(([, message]) =>
      listForms(message).some((text) => refused.test(getWords(text))),
    )
    expect(wrong).toEqual([])
  })

  test(`the ${language} catalogue has no id that nothing uses`, () => {
    const sources = readServerSources()
    const isUsed = (id: string) => {
      if (messages.has(id) || /^(?:units|uses)\.\w+$/.test(id)) return true
      // Labels and nouns of the server, and labels with another translation in one resource.
      const [, text] = /^(?:label|noun|courierStatus)\.(?:[a-z-]+\.(?=[A-Z]))?(.+)$/.exec(id) ?? []
      return text !== undefined && (messages.has(`label.${text}`) || sources.includes(`'${text}'`))
    }
    expect(Object.keys(catalogue).filter((id) => !isUsed(id))).toEqual([])
  })

  test(`the ${language} catalogue uses the parameters of each message and all its plural forms`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [id, message] of Object.entries(catalogue)) {
      const source = messages.get(id)
      const knownParams = source === undefined || id.startsWith('uses.') ? ['count'] : listParams(source)
      expect(knownParams, id).toEqual(expect.arrayContaining([...listParams(message)]))
      if (typeof message === 'object')
        expect(Object.keys(message).toSorted(), id).toEqual([...pluralCategories].toSorted())
    }
  })
})

function readServerSources(): string {
  const root = path.resolve(import.meta.dirname, '../../../..')
  return ['server/src', 'contract/src']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
    )
    .join('\n')
}
