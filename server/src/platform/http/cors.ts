import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/**
 * Lets webs of the named origins call this host; without any, browsers let none. Tokens travel in a header and
 * never in a cookie, so no credentials are allowed.
 */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders: ['content-disposition', 'idempotency-replayed', 'retry-after', 'x-request-id'],
    // Seconds for which a browser remembers the answer.
    maxAge: 600,
  })
}
