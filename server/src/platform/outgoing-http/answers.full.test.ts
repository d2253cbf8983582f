import { expect, test } from 'vitest'
import { AnswerError, parseAnswer } from './answers.ts'
import { openMeasoft } from '../../integrations/measoft/measoft.ts'

const account = { url: 'https://courier.example', extra: '8', login: 'karvon', pass: 'secret' }
const courier = (xml: string) => openMeasoft(account, async () => xml).fetchChanges()

/** The processor time of this thread, which other processes do not change, while `work` runs. In milliseconds. */
async function measureProcessorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const megabytes = 8 * 1024 * 1024

/** Expects that `work` holds the thread for less than ten times as long as a split of 8 MB. */
async function expectShortWork(work: () => Promise<unknown>): Promise<void> {
  const reference = await measureProcessorTime(() => '<a>'.repeat(megabytes / 3).split('<').length)
  expect(await measureProcessorTime(work)).toBeLessThan(10 * reference)
}
const nest = (open: string, close: string) => {
  const times = Math.floor(megabytes / (open.length + close.length))
  return open.repeat(times) + close.repeat(times)
}

test.each([
  ['nested elements', () => nest('<a>', '</a>'), 'nested too deeply'],
  ['elements that are never closed', () => '<a>'.repeat(megabytes / 3), 'nested too deeply'],
  ['tag ends in attributes', () => nest('<a b="/>">', '</a>'), 'nested too deeply'],
  ['many elements', () => `<a>${'<b/>'.repeat(megabytes / 4)}</a>`, 'has too many parts'],
  ['many attributes', () => `<a ${'b="" '.repeat(megabytes / 5)}/>`, ''],
  ['its end cut off', () => `<a>${'<b>x</b>'.repeat(50_000)}`, 'cut off'],
])("a courier's answer with %s is refused after little work", async (_, xml, message) => {
  const text = xml()
  await expectShortWork(async () => {
    await expect(courier(text)).rejects.toThrow(message)
  })
})

test.each([
  ['nested lists', () => nest('[', ']'), 'nested too deeply'],
  ['many values', () => `[${'1,'.repeat(megabytes / 2)}1]`, 'has too many parts'],
  ['half of it', () => `[${'{"a":"b"},'.repeat(10_000)}`, 'cut off'],
])("a network's answer with %s is refused after little work", async (_, json, message) => {
  const text = json()
  await expectShortWork(async () => {
    await expect(parseAnswer('json', text)).rejects.toThrow(message)
    await expect(parseAnswer('json', text)).rejects.toThrow(AnswerError)
  })
})

test.each([0, megabytes / 16])(
  'a whole number that a double would round is a text with its digits, with %d characters around it',
  async (length) => {
    const json = `[{"id": 1234567890123456789, "n": -9007199254740993, "m": 9007199254740991, "share": 0.1234567890123456, "x": "${'x'.repeat(length)}"}]`
    expect(await parseAnswer('json', json)).toMatchObject([
      {
        id: '1234567890123456789',
        n: '-9007199254740993',
        m: 9_007_199_254_740_991,
        share: 0.1234567890123456,
      },
    ])
  },
)

test('a large answer of an outside system is read like a small one', async () => {
  const order =
    '<order orderno="007"><status eventtime="2026-11-20 10:00:00" title="Новый">NEW</status></order>'
  const orders = await courier(`<statusreq count="5000">${order.repeat(5000)}</statusreq>`)
  const [singleOrder] = await courier(`<statusreq count="1">${order}</statusreq>`)
  expect(orders).toHaveLength(5000)
  expect(orders.at(-1)).toEqual(singleOrder)
  expect(singleOrder?.orderno).toBe('007')
})

test.each([
  ['objects', 'json', () => `[${'{},'.repeat(250_000)}{}]`, 'has too many parts'],
  [
    'names of elements',
    'xml',
    () => `<a>${Array.from({ length: 1001 }, (_, n) => `<b${n}/>`).join('')}</a>`,
    'different names',
  ],
  [
    'names of attributes',
    'xml',
    () => `<a ${Array.from({ length: 1001 }, (_, n) => `b${n}=""`).join(' ')}/>`,
    'different names',
  ],
  [
    'names of members',
    'json',
    () => `[${Array.from({ length: 1001 }, (_, n) => `{"b${n}":0}`).join(',')}]`,
    'different names',
  ],
] as const)(
  'an answer with too many %s is refused before the main thread receives it',
  async (_, format, build, message) => {
    await expect(parseAnswer(format, build())).rejects.toThrow(message)
  },
)
