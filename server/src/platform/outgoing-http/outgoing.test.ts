import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openListener, requestOutcome, createOutgoingClients, type Listener } from '../../../test/listener.ts'

let listener: Listener
const { open, closeAll } = createOutgoingClients()

beforeAll(async () => {
  listener = await openListener()
})
afterEach(closeAll)
afterAll(() => listener.close())

describe('Answers', () => {
  const openAllowed = () => open([`127.0.0.1:${listener.port}`])
  const here = (path = '/') => `http://127.0.0.1:${listener.port}${path}`

  test.each([300, 301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    let calls = 0
    listener.answer = (_request, response) => {
      calls++
      response.writeHead(status, { location: `${here()}secret-canary` }).end()
    }
    const outcome = await requestOutcome(openAllowed(), here())
    expect(outcome).toBe(
      `redirect: 127.0.0.1 answered with the redirect ${status}. Karvon follows no redirect. Use the address that it leads to.`,
    )
    expect(calls).toBe(1)
  })

  test('an answer has status, headers, bytes and text; the request has its body and headers', async () => {
    listener.answer = (request, response) => {
      const { method, headers } = request
      request.setEncoding('utf8')
      request.on('data', (body: string) => {
        response.writeHead(422, { 'X-Mark': 'ы'.length })
        response.end(JSON.stringify([method, body, headers['x-own'], headers['user-agent']]))
      })
    }
    const headers = { 'X-Own': 'a', 'User-Agent': 'Other' }
    const answer = await openAllowed().request({ method: 'POST', url: here(), body: 'привет', headers })
    expect([answer.status, answer.headers['x-mark'], answer.text]).toEqual([
      422,
      '1',
      '["POST","привет","a","Other"]',
    ])
    expect(answer.bytes.length).toBe(Buffer.byteLength(answer.text))
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('an answer compressed by %s is decompressed', async (encoding, compress) => {
    listener.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"ok":true}'))
    }
    expect((await openAllowed().request({ method: 'GET', url: here() })).text).toBe('{"ok":true}')
  })

  test.each([
    ['zstd', Buffer.from('x'), 'compressed its answer with an encoding that Karvon does not accept'],
    [
      'gzip, gzip',
      gzipSync(gzipSync('x')),
      'compressed its answer with an encoding that Karvon does not accept',
    ],
    ['gzip', Buffer.from('not gzip'), 'gave no usable answer (Z_DATA_ERROR)'],
    ['gzip', gzipSync('half of it').subarray(0, 15), 'gave no usable answer (Z_BUF_ERROR)'],
  ])(
    'an answer with an unsupported or broken compression (%s) gives an error',
    async (encoding, body, message) => {
      listener.answer = (_request, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(body)
      expect(await requestOutcome(openAllowed(), here())).toBe(`unreachable: 127.0.0.1 ${message}.`)
    },
  )

  test.each(['gzip', 'br'])(
    'an answer without a body keeps its status, although it names %s',
    async (encoding) => {
      listener.answer = (_request, response) =>
        void response.writeHead(429, { 'content-encoding': encoding, 'retry-after': '7' }).end()
      const answer = await openAllowed().request({ method: 'GET', url: here() })
      expect([answer.status, answer.headers['retry-after'], answer.text]).toEqual([429, '7', ''])
    },
  )

  test.each([
    ['windows-1251 without its name', Buffer.from([0xc0, 0xe7, 0xe8, 0xe7, 0xe0]), 'Азиза'],
    ['UTF-8 with a broken letter', Buffer.from([...Buffer.from('Азиза'), 0xd0]), 'Азиза\uFFFD'],
  ])('an answer in %s is decoded in it', async (_charset, bytes, text) => {
    listener.answer = (_request, response) => void response.end(bytes)
    expect((await openAllowed().request({ method: 'GET', url: here() })).text).toBe(text)
  })

  test('a compressed answer that decompresses over the size limit is cut off early', async () => {
    const decompressedSize = 200 * 1024 * 1024
    const bomb = gzipSync(Buffer.alloc(decompressedSize), { level: 9 })
    listener.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const before = process.memoryUsage().rss
    // The time to decompress depends on the machine.
    const outcome = await requestOutcome(openAllowed(), here(), { timeout: 60_000 })
    expect(outcome).toBe('too_large: 127.0.0.1 answered more than 10485760 bytes.')
    expect(process.memoryUsage().rss - before).toBeLessThan(decompressedSize / 2)
  })

  test('an endless answer is cut off at the size limit', async () => {
    let sentBytes = 0
    let isClosed = false
    listener.answer = (_request, response) => {
      response.once('close', () => (isClosed = true))
      const writeMore = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sentBytes += 64 * 1024
        if (!response.destroyed) response.once('drain', writeMore)
      }
      writeMore()
    }
    const outcome = await requestOutcome(openAllowed(), here(), { maxBytes: 1024 * 1024 })
    expect(outcome).toBe('too_large: 127.0.0.1 answered more than 1048576 bytes.')
    await expect.poll(() => isClosed).toBe(true)
    const then = sentBytes
    await sleep(100)
    expect(sentBytes).toBe(then)
    expect(await requestOutcome(openAllowed(), here(), { maxBytes: 0, isStatusOnly: true })).toBe('200')
  })

  test('an answer of exactly the size limit is accepted', async () => {
    listener.answer = (_request, response) => void response.end('12345')
    expect(await requestOutcome(openAllowed(), here(), { maxBytes: 5 })).toBe('200')
    expect(await requestOutcome(openAllowed(), here(), { maxBytes: 4 })).toMatch(/^too_large/)
  })

  test('an answer with too many headers gives an error', async () => {
    listener.answer = (_request, response) => {
      response.writeHead(
        200,
        Object.fromEntries([...Array(40).keys()].map((n) => [`x-${n}`, 'x'.repeat(1000)])),
      )
      response.end()
    }
    expect(await requestOutcome(openAllowed(), here())).toBe(
      'too_large: 127.0.0.1 answered with too many headers.',
    )
  })

  test.each([
    ['never starts', () => {}],
    [
      'drips',
      (response: Parameters<RequestListener>[1]) => {
        const timer = setInterval(() => response.write('.'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ] as const)('an answer that %s ends at the time limit', async (_name, send) => {
    listener.answer = (_request, response) => send(response)
    // A time limit for each piece would never end a slow answer.
    expect(await requestOutcome(openAllowed(), here(), { timeout: 300 })).toBe(
      'timeout: 127.0.0.1 did not answer in time.',
    )
  })

  test('a header that HTTP does not allow is not sent, and the error says so', async () => {
    for (const [name, value] of [
      ['authorization', 'a\r\nb: c'],
      ['x-key', 'ж'],
      ['a b', 'c'],
    ] as const)
      expect(await requestOutcome(openAllowed(), here(), { headers: { [name]: value } })).toBe(
        'forbidden: The request to 127.0.0.1 was not sent: a header has a character that HTTP does not allow, such as a line break in a secret.',
      )
  })

  test("a broken answer gives an error, and a cancelled call ends with the caller's reason", async () => {
    listener.answer = (request) => request.socket.resetAndDestroy()
    expect(await requestOutcome(openAllowed(), here())).toMatch(
      /^unreachable: 127.0.0.1 gave no usable answer \(/,
    )
    listener.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await requestOutcome(openAllowed(), here())).toMatch(/^unreachable: /)
    listener.answer = () => {}
    const ending = new AbortController()
    setTimeout(() => ending.abort(new Error('Enough')), 50)
    await expect(
      openAllowed().request({ method: 'GET', url: here(), signal: ending.signal }),
    ).rejects.toThrow('Enough')
  })
})
