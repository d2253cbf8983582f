import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/**
 * Allows web pages of these origins to call this host. Credentials are not allowed, because the token is sent in a
 * header and never in a cookie.
 */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders: ['content-disposition', 'idempotency-replayed', 'retry-after', 'x-request-id'],
    // Seconds for which a browser caches the answer.
    maxAge: 600,
  })
}
