import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openListener, outcome, outgoings, type Listener } from '../../../test/listener.ts'

let listener: Listener
const { open, closeAll } = outgoings()

beforeAll(async () => {
  listener = await openListener()
})
afterEach(closeAll)
afterAll(() => listener.close())

describe('an answer', () => {
  const allowed = () => open([`127.0.0.1:${listener.port}`])
  const here = (path = '/') => `http://127.0.0.1:${listener.port}${path}`

  test.each([300, 301, 302, 303, 307, 308])('that redirects (%i) is not followed', async (status) => {
    let calls = 0
    listener.answer = (_request, response) => {
      calls++
      response.writeHead(status, { location: `${here()}secret-canary` }).end()
    }
    const ended = await outcome(allowed(), here())
    expect(ended).toBe(
      `redirect: 127.0.0.1 answered ${status}, a redirect, and none is followed. Give the address that it leads to.`,
    )
    expect(calls).toBe(1)
  })

  test('comes with status, headers, bytes and text; the request with its body and headers', async () => {
    listener.answer = (request, response) => {
      const { method, headers } = request
      request.setEncoding('utf8')
      request.on('data', (said: string) => {
        response.writeHead(422, { 'X-Mark': 'ы'.length })
        response.end(JSON.stringify([method, said, headers['x-own'], headers['user-agent']]))
      })
    }
    const headers = { 'X-Own': 'a', 'User-Agent': 'Other' }
    const got = await allowed().request({ method: 'POST', url: here(), body: 'привет', headers })
    expect([got.status, got.headers['x-mark'], got.text]).toEqual([422, '1', '["POST","привет","a","Other"]'])
    expect(got.bytes.length).toBe(Buffer.byteLength(got.text))
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('packed by %s is unpacked', async (encoding, pack) => {
    listener.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('{"ok":true}'))
    }
    expect((await allowed().request({ method: 'GET', url: here() })).text).toBe('{"ok":true}')
  })

  test.each([
    ['zstd', Buffer.from('x'), 'packed its answer in a way that was not asked for'],
    ['gzip, gzip', gzipSync(gzipSync('x')), 'packed its answer in a way that was not asked for'],
    ['gzip', Buffer.from('not gzip'), 'gave no usable answer (Z_DATA_ERROR)'],
    ['gzip', gzipSync('half of it').subarray(0, 15), 'gave no usable answer (Z_BUF_ERROR)'],
  ])('that says %s and is not is no answer', async (encoding, body, message) => {
    listener.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body)
    expect(await outcome(allowed(), here())).toBe(`unreachable: 127.0.0.1 ${message}.`)
  })

  test('that unpacks to more than is wanted is cut off, whatever little of it has come', async () => {
    const unpacked = 200 * 1024 * 1024
    const bomb = gzipSync(Buffer.alloc(unpacked), { level: 9 })
    listener.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const before = process.memoryUsage().rss
    // Unpacking takes as long as the machine needs.
    const ended = await outcome(allowed(), here(), { timeout: 60_000 })
    expect(ended).toBe('too_large: 127.0.0.1 answered more than 10485760 bytes.')
    expect(process.memoryUsage().rss - before).toBeLessThan(unpacked / 2)
  })

  test('without an end is cut off at the size that is wanted', async () => {
    let sent = 0
    listener.answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    const ended = await outcome(allowed(), here(), { maxBytes: 1024 * 1024 })
    expect(ended).toBe('too_large: 127.0.0.1 answered more than 1048576 bytes.')
    await sleep(50)
    const then = sent
    await sleep(100)
    expect(sent).toBe(then)
    expect(await outcome(allowed(), here(), { maxBytes: 0, statusOnly: true })).toBe('200')
  })

  test('of exactly the size that is wanted is taken', async () => {
    listener.answer = (_request, response) => void response.end('12345')
    expect(await outcome(allowed(), here(), { maxBytes: 5 })).toBe('200')
    expect(await outcome(allowed(), here(), { maxBytes: 4 })).toMatch(/^too_large/)
  })

  test('with too many headers is none', async () => {
    listener.answer = (_request, response) => {
      response.writeHead(
        200,
        Object.fromEntries([...Array(40).keys()].map((n) => [`x-${n}`, 'x'.repeat(1000)])),
      )
      response.end()
    }
    expect(await outcome(allowed(), here())).toBe('too_large: 127.0.0.1 answered with too many headers.')
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
  ] as const)('that %s ends with the time for all of it', async (_name, drip) => {
    listener.answer = (_request, response) => drip(response)
    // A time for each piece alone would never end where the answer drips.
    expect(await outcome(allowed(), here(), { timeout: 300 })).toBe(
      'timeout: 127.0.0.1 did not answer in time.',
    )
  })

  test('that breaks off is none; what the caller ends early ends with the reason for it', async () => {
    listener.answer = (request) => request.socket.resetAndDestroy()
    expect(await outcome(allowed(), here())).toMatch(/^unreachable: 127.0.0.1 gave no usable answer \(/)
    listener.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await outcome(allowed(), here())).toMatch(/^unreachable: /)
    listener.answer = () => {}
    const ending = new AbortController()
    setTimeout(() => ending.abort(new Error('Enough')), 50)
    await expect(allowed().request({ method: 'GET', url: here(), signal: ending.signal })).rejects.toThrow(
      'Enough',
    )
  })
})
