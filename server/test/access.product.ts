import { createCallers } from './access.callers.ts'
import { openSender } from './access.send.ts'
import { createTestApp, firstAdmin } from './app.ts'

/** Starts a product that listens, with callers of every kind. Call `close` after the tests. */
export async function openAccessProduct(env: Record<string, string> = {}) {
  const product = await createTestApp(env)
  const sender = openSender(await product.app.listen({ port: 0, host: '127.0.0.1' }))
  const query = (text: string, values: unknown[]) => product.deps.pool.query(text, values)
  return {
    send: sender.send,
    callers: await createCallers({ send: sender.send, admin: firstAdmin, query }),
    async close() {
      sender.close()
      await product.close()
    },
  }
}
