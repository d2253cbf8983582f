import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRawClient } from '../../../test/raw-client.ts'
import { sendSheet } from './exports.send.ts'

test.each(['csv', 'xlsx'] as const)(
  'a %s for a client of HTTP/1.0 that fails after the first row does not end like a complete one',
  async (format) => {
    const failure = Promise.withResolvers<never>()
    const app = Fastify()
    onTestFinished(() => app.close())
    app.get('/', (_request, reply) => {
      const rows = (async function* () {
        yield [['1']]
        await failure.promise
      })()
      return sendSheet(reply, { fileStem: 'a', sheet: 'a', headers: ['a'], rows }, { format })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const client = connectRawClient(app, 'GET / HTTP/1.0\r\n\r\n')
    const onError = vi.fn<(error: Error) => void>()
    client.socket.on('error', onError)
    await expect.poll(() => client.getReceived()).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n./s)
    failure.reject(new Error('The database is gone'))
    await expect.poll(() => client.isClosed()).toBe(true)
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'ECONNRESET' }))
  },
)
