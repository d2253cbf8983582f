import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerErrorHandler } from './error-handler.ts'

test('each app logs an error that another app has just logged, and an equal one only once', async () => {
  const error = new Error('the same error')
  const countLines = async () => {
    const lines: string[] = []
    const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } } })
    registerErrorHandler(app)
    app.get('/', () => {
      throw error
    })
    for (let n = 0; n < 3; n += 1) expect((await app.inject('/')).statusCode).toBe(500)
    await app.close()
    return lines.length
  }
  expect([await countLines(), await countLines()]).toEqual([1, 1])
})
