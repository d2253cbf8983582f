import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../limits/address-key.ts'
import { AppError } from './errors.ts'
import { guardHook } from './guard.ts'
import { maxDocuments } from '../limits/limits.ts'
import { Rate } from '../limits/rate.ts'

/** Where the browsable page asks for the document; it also has one as YAML, which nothing here reads. */
const pageDocument = '/api/docs/json'
const documents: ReadonlySet<string | undefined> = new Set([
  pageDocument,
  '/api/docs/yaml',
  '/api/openapi.json',
])

// Runs in the browser, where the web keeps the session: the page itself says nothing, and the document wants a person.
const sendSession = `(request) => {
  const { token } = JSON.parse(localStorage.getItem('emu_auth') || '{}')
  const own = new URL(request.url, location.href).origin === location.origin
  if (token && own) request.headers.Authorization = 'Bearer ' + token
  return request
}`

/**
 * OpenAPI from the declared calls: /api/docs to browse, /api/openapi.json to read; for whoever is signed in, or for
 * anybody where `isPublic`. The document is serialised once. Register before the calls.
 */
export async function registerDocs(app: FastifyInstance, isPublic: boolean): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Karvon',
        version: '1',
        description: 'The desk of a courier service and its CPA networks',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })

  const guard = guardHook('person')
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPublic && documents.has(request.routeOptions.url)) await guard(request, reply)
  }
  const rate = new Rate(maxDocuments)
  let serialised: { text: string; etag: string } | undefined
  const sendDocument = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const retryAfter = rate.take(String(request.identity?.userId ?? addressKey(request.ip)))
    if (retryAfter > 0)
      throw new AppError('too_many_requests', `Too many requests. Try again in ${retryAfter} s.`, {
        retryAfter,
      })
    if (serialised === undefined) {
      const text = JSON.stringify(app.swagger())
      serialised = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
    }
    void reply.header('etag', serialised.etag).header('cache-control', 'private, no-cache')
    if (request.headers['if-none-match'] === serialised.etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(serialised.text)
  }

  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      // The page's own scripts lie beside it; only its styles stand inline.
      staticCSP:
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'; base-uri 'none'",
      // A function is written into the page by its text.
      uiConfig: {
        requestInterceptor: Object.assign(<T>(request: T) => request, { toString: () => sendSession }),
      },
      uiHooks: {
        preHandler: (request, reply, done) => {
          if (!documents.has(request.routeOptions.url)) return done()
          try {
            sendDocument(request, reply)
          } catch (error) {
            done(error as Error)
          }
        },
      },
    })
  })
  app.get('/api/openapi.json', { schema: { hide: true }, onRequest }, async (request, reply) =>
    sendDocument(request, reply),
  )
}
