import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { call } from '@karvon/contract/lib/call.ts'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { maxFormFields, maxPublicBodyBytes } from '../limits/limits.ts'
import { registerBodies } from './bodies.ts'
import { registerErrorHandler } from './error-handler.ts'
import { serve } from './serve.ts'

const formCall = call({
  id: 'test.form',
  summary: 'Test',
  method: 'POST',
  path: '/test/',
  guard: 'public',
  consumes: 'any',
  body: Type.Object({ name: Type.Optional(Type.String()) }),
})
const app = Fastify()
beforeAll(async () => {
  registerErrorHandler(app)
  registerBodies(app)
  app.decorateRequest('identity', null)
  await app.register(multipart)
  serve(app, formCall, async ({ body }) => body)
})

const boundary = 'b'
const buildField = (name: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const end = `--${boundary}--\r\n`

/** Sends a form in chunks, so that no header announces its length. */
const sendForm = (chunks: readonly string[], parameter = `; boundary=${boundary}`) =>
  app.inject({
    method: 'POST',
    url: '/test',
    headers: { 'content-type': `multipart/form-data${parameter}`, 'transfer-encoding': 'chunked' },
    payload: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
  })

test.each([[`; boundary=${boundary}`], [`; charset=utf-8; BOUNDARY="${boundary}"; x=y`]])(
  'a form with the parameter %s is read',
  async (parameter) => {
    const fields = Array.from({ length: maxFormFields }, (_, n) =>
      buildField(n === 7 ? 'name' : `f${n}`, 'Lola'),
    )
    const answer = await sendForm([...fields, end, 'epilogue'], parameter)
    expect([answer.statusCode, answer.json()]).toEqual([200, { name: 'Lola' }])
  },
)

test.each([
  ['no boundary', ['x'], '', 400, 'form_incomplete'],
  [
    'more fields than the limit',
    Array.from({ length: maxFormFields + 2 }, () => buildField('a', 'b')),
    undefined,
    413,
    'form_parts_too_large',
  ],
  [
    'more bytes than a public call may have',
    ['x'.repeat(maxPublicBodyBytes), 'x'],
    undefined,
    413,
    'form_too_large',
  ],
] as const)('a chunked form with %s is refused', async (_name, chunks, parameter, status, code) => {
  const answer = await sendForm([...chunks, end], parameter)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
})

test('a form of thousands of empty parts takes no more time than a file of its size', async () => {
  const bytes = maxPublicBodyBytes - 1000
  const part = `--${boundary}\r\n`
  const empty = part.repeat(bytes / part.length)
  const file = `${part}content-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(bytes)}\r\n${end}`
  const measure = async (form: string) => {
    const start = performance.now()
    await sendForm([form])
    return performance.now() - start
  }
  const times: { empty: number; file: number }[] = []
  // A form takes some milliseconds. On a busy machine few of the rounds are undisturbed.
  for (let i = 0; i < 50; i += 1) times.push({ empty: await measure(empty), file: await measure(file) })
  const shortest = (name: 'empty' | 'file') => Math.min(...times.map((time) => time[name]))
  expect(shortest('empty')).toBeLessThan(5 * shortest('file'))
})
