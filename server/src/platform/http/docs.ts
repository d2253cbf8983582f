import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../limits/address-key.ts'
import { AppError } from './errors.ts'
import { createGuardHook } from './guard.ts'
import { maxApiDocsRequests } from '../limits/limits.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'

/** The page of @fastify/swagger-ui loads the document from this URL. */
const pageDocumentUrl = '/api/docs/json'
const documentUrls: ReadonlySet<string | undefined> = new Set([
  pageDocumentUrl,
  '/api/docs/yaml',
  '/api/openapi.json',
])

// Runs in the browser. The page is public. The document needs the token of the session that the web app stores.
const sendSession = `(request) => {
  const { token } = JSON.parse(localStorage.getItem('emu_auth') || '{}')
  const isSameOrigin = new URL(request.url, location.href).origin === location.origin
  if (token && isSameOrigin) request.headers.Authorization = 'Bearer ' + token
  return request
}`
const explainRefusal = `(response) => {
  if (response.status === 401) response.statusText = 'Sign in to Karvon in this browser, then reload this page:'
  return response
}`

/** The library writes the text of a function into the page. */
const createPageFunction = (code: string) => Object.assign(<T>(value: T) => value, { toString: () => code })

/**
 * Serves the OpenAPI document of the declared calls: /api/docs is a page, /api/openapi.json the document. Only
 * signed-in people may read it, or everybody with `isPublic`. The document is serialised once. Register this before
 * the calls.
 */
export async function registerDocs(app: FastifyInstance, isPublic: boolean): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Karvon',
        version: '1',
        description: 'The back office of a courier service and its CPA networks',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })

  const guard = createGuardHook('person')
  const onRequest = async (request: FastifyRequest) => {
    if (!isPublic && documentUrls.has(request.routeOptions.url)) await guard(request)
  }
  const rateLimiter = new RateLimiter(maxApiDocsRequests)
  let serialisedDocument: { text: string; etag: string } | undefined
  const sendDocument = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const retryAfter = rateLimiter.consume(String(request.identity?.userId ?? addressKey(request.ip)))
    if (retryAfter > 0) throw new AppError('too_many_requests', { seconds: retryAfter }, { retryAfter })
    if (serialisedDocument === undefined) {
      const text = JSON.stringify(app.swagger())
      serialisedDocument = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
    }
    void reply.header('etag', serialisedDocument.etag).header('cache-control', 'private, no-cache')
    if (request.headers['if-none-match'] === serialisedDocument.etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(serialisedDocument.text)
  }

  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      // The page loads its scripts from its own folder. Only its styles are inline.
      staticCSP:
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'; base-uri 'none'",
      theme: { title: 'Karvon API' },
      uiConfig: {
        requestInterceptor: createPageFunction(sendSession),
        responseInterceptor: createPageFunction(explainRefusal),
      },
      uiHooks: {
        preHandler: (request, reply, done) => {
          if (!documentUrls.has(request.routeOptions.url)) return done()
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
