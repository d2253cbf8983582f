import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import type { Operation } from './fuzz.operations.ts'

/** The answer to malformed bytes. `status` is null if the connection was closed without an answer. */
export interface RawAnswer {
  status: number | null
  milliseconds: number
}

/** The placeholder of the sender's token. */
const tokenPlaceholder = '{token}'

export const withToken = (text: string, token: string): Buffer =>
  Buffer.from(text.replaceAll(tokenPlaceholder, token), 'latin1')

/** Malformed, incomplete and contradictory requests, with one character for each byte. */
export function rawRequest(operation: Operation): fc.Arbitrary<string> {
  const path = operation.path.replaceAll(/\{\w+\}/g, '1')
  const start = `${operation.method} ${path} HTTP/1.1\r\nhost: karvon\r\nauthorization: Bearer ${tokenPlaceholder}\r\n`
  const json = `${start}content-type: application/json\r\n`
  const chunkedHead = `${json}transfer-encoding: chunked\r\n\r\n`
  return fc.constantFrom(
    `${json}content-length: 500\r\n\r\n{"name":"cut off`,
    `${json}content-length: 5\r\n\r\n{"name":"longer than it says"}`,
    `${json}content-length: -1\r\n\r\n{}`,
    `${json}content-length: 99999999999999999999\r\n\r\n{}`,
    `${json}content-length: 1e3\r\n\r\n{}`,
    `${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `,
    `${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    `${chunkedHead}zz\r\n{}\r\n0\r\n\r\n`,
    `${chunkedHead}ffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
    `${chunkedHead}-5\r\n{}\r\n`,
    `${chunkedHead}2\r\n{}\r\n`,
    `${chunkedHead}2;${'x'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
    `${json}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${json}transfer-encoding: identity\r\n\r\n{}`,
    `${json}content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`,
    `${start}content-type: multipart/form-data; boundary=x\r\ncontent-length: 400\r\n\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b`,
    `${start}${'x-many: 1\r\n'.repeat(3000)}\r\n`,
    `${start}x-large: ${'a'.repeat(100_000)}\r\n\r\n`,
    `${operation.method} /${'a'.repeat(30_000)} HTTP/1.1\r\nhost: karvon\r\n\r\n`,
    `${operation.method} ${path} HTTP/9.9\r\nhost: karvon\r\n\r\n`,
    `${operation.method} ${path}\r\n\r\n`,
    `${operation.method} ${path}\0 HTTP/1.1\r\nhost: karvon\r\n\r\n`,
    `${operation.method} http://elsewhere.example${path} HTTP/1.1\r\nhost: karvon\r\n\r\n`,
    `${operation.method} ${path}?a=\xff\xfe HTTP/1.1\r\nhost: karvon\r\nauthorization: Bearer ${tokenPlaceholder}\r\n\r\n`,
    `${operation.method} ${path} HTTP/1.1\r\n\r\n`,
    `${operation.method} ${path} HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`,
    `${start}authorization: Bearer other\r\n\r\n`,
    `${start}bad header\r\n\r\n`,
    `${start}x: a\r\n folded\r\n\r\n`,
    `${start}x: \0\r\n\r\n`,
    `${start}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
    `${start}expect: 100-continue\r\ncontent-length: 10\r\n\r\n`,
    `CONNECT 127.0.0.1:5432 HTTP/1.1\r\nhost: karvon\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nhost: karvon\r\n\r\n`,
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    `${start}\r\n${start}\r\n${start}\r\n`,
    `GET${' '.repeat(2000)}/ HTTP/1.1\r\n\r\n`,
    '\r\n\r\n\r\n',
    '\0\0\0\0',
  )
}

/** Maximum milliseconds to wait for an answer after the last byte. */
const maxMilliseconds = 250

/** Sends bytes on a new connection and reads the first answer. */
export async function sendRaw(url: string, bytes: Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const startTime = performance.now()
  const socket = connect(Number(port), hostname)
  const status = await new Promise<number | null>((resolve) => {
    const timer = setTimeout(resolve, maxMilliseconds, null)
    const done = (status: number | null) => {
      clearTimeout(timer)
      resolve(status)
    }
    socket.once('error', () => done(null))
    socket.once('close', () => done(null))
    socket.on('data', (chunk: Buffer) => {
      const statusText = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1]
      if (statusText !== undefined && statusText !== '100') done(Number(statusText))
    })
    socket.write(bytes)
  })
  const milliseconds = performance.now() - startTime
  if (!socket.closed) {
    socket.destroy()
    await once(socket, 'close')
  }
  return { status, milliseconds }
}
