import { expect, test } from 'vitest'
import { readAnswer, readUpdates } from './telegram.answer.ts'
import { toTelegramError } from './telegram.error.ts'

const refuse = (answer: string) => toTelegramError({ status: 400, ...readAnswer(answer) }).failure

test.each([
  [String.raw`{"ok":false,"description":"a\u0000b"}`, 'Telegram answered 400: a b'],
  ['{"ok":false,"description":{"a":1}}', 'Telegram answered 400'],
  ['{"ok":false,"description":null}', 'Telegram answered 400'],
  [String.raw`{"ok":false,"parameters":{"migrate_to_chat_id":"\u0000"}}`, 'Telegram answered 400'],
  ['{"ok":false,"parameters":{"migrate_to_chat_id":1e308}}', 'Telegram answered 400'],
  [String.raw`{"ok":false,"description":"a\ud83d"}`, 'Telegram answered 400: a\uFFFD'],
  [`{"ok":false,"description":"${'x'.repeat(298)}👍x"}`, `Telegram answered 400: ${'x'.repeat(298)}\uFFFD…`],
  ['null', 'Telegram answered 400'],
  ['<html>', 'Telegram answered 400'],
])('the answer %s becomes a refusal that the database can store', (answer, reason) => {
  expect(refuse(answer)).toEqual({ kind: 'rejected', reason })
})

test('the bot skips updates that it cannot handle', () => {
  const message = (id: unknown) => ({ text: 'a', chat: { id, type: 'private' } })
  const updates = [
    null,
    { update_id: 1, message: message('\0') },
    { update_id: 2, message: message(1e300) },
    { update_id: Number.MAX_SAFE_INTEGER, message: message(5) },
    { update_id: -1, message: message(5) },
    { update_id: 3, message: message(5) },
    { update_id: 4, message: null },
  ]
  const { next, items } = readUpdates(updates, 0)
  expect(next).toBe(5)
  expect(items).toEqual([{ id: 3, chat: '5', isPrivate: true, text: 'a', language: undefined }])
})

test('updates are read once and in order, and the next number follows them although it falls', () => {
  const update = (id: number) => ({ update_id: id, message: { text: `${id}`, chat: { id: 5 } } })
  const { next, items } = readUpdates([update(8), update(7), update(8)], 1000)
  expect(items.map(({ id }) => id)).toEqual([7, 8])
  expect(next).toBe(9)
  expect(readUpdates([], 1000).next).toBe(1000)
})
