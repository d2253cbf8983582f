import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { AnswerError, parseAnswer } from './answers.ts'
import { openMeasoft } from '../../integrations/measoft/measoft.ts'

const account = { url: 'https://courier.example', extra: '8', login: 'karvon', pass: 'secret' }
const courier = (xml: string) => openMeasoft(account, async () => xml).fetchChanges()

/** The longest that everything else waited while `work` ran, in milliseconds. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work()
  delay.disable()
  return delay.max / 1e6
}

const megabytes = 8 * 1024 * 1024
const nested = (open: string, close: string) => {
  const times = Math.floor(megabytes / (open.length + close.length))
  return open.repeat(times) + close.repeat(times)
}

test.each([
  ['elements in each other', () => nested('<a>', '</a>'), 'nested too deeply'],
  ['elements that are never closed', () => '<a>'.repeat(megabytes / 3), 'nested too deeply'],
  ['signs of an end in attributes', () => nested('<a b="/>">', '</a>'), 'nested too deeply'],
  ['many elements', () => `<a>${'<b/>'.repeat(megabytes / 4)}</a>`, 'more than is read at once'],
  ['many attributes', () => `<a ${'b="" '.repeat(megabytes / 5)}/>`, ''],
  ['one that is cut off', () => `<a>${'<b>x</b>'.repeat(50_000)}`, 'cut off'],
])('refuses a courier’s answer with %s, and nobody waits for it', async (_, xml, message) => {
  const text = xml()
  const wait = await longestWait(async () => {
    await expect(courier(text)).rejects.toThrow(message)
  })
  expect(wait).toBeLessThan(1000)
})

test.each([
  ['lists in each other', () => nested('[', ']'), 'nested too deeply'],
  ['many values', () => `[${'1,'.repeat(megabytes / 2)}1]`, 'more than is read at once'],
  ['half of it', () => `[${'{"a":"b"},'.repeat(10_000)}`, 'cut off'],
])('refuses a network’s answer with %s, and nobody waits for it', async (_, json, message) => {
  const text = json()
  const wait = await longestWait(async () => {
    await expect(parseAnswer('json', text)).rejects.toThrow(message)
    await expect(parseAnswer('json', text)).rejects.toThrow(AnswerError)
  })
  expect(wait).toBeLessThan(1000)
})

test('reads a large answer as it reads a small one', async () => {
  const order =
    '<order orderno="007"><status eventtime="2026-11-20 10:00:00" title="Новый">NEW</status></order>'
  const orders = await courier(`<statusreq count="5000">${order.repeat(5000)}</statusreq>`)
  const [one] = await courier(`<statusreq count="1">${order}</statusreq>`)
  expect(orders).toHaveLength(5000)
  expect(orders.at(-1)).toEqual(one)
  expect(one?.orderno).toBe('007')
})
