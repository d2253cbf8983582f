import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import { decoded, isApi } from './security.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `METHOD path` of every route, as the framework registered it. */
    knownRoutes: readonly string[]
  }
}

/**
 * Answers whatever no call takes: 405 with Allow where the path takes other methods, 404 as JSON below
 * /api and /parcel, else the built web; its pages are all index.html, which finds its way by the address.
 */
export async function registerWeb(app: FastifyInstance, folder: string): Promise<void> {
  const methods = knownMethods(app)
  const built = existsSync(join(folder, 'index.html'))
  const files = new Set(built ? filesIn(folder) : [])
  if (built)
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      cacheControl: false,
      preCompressed: true,
    })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const allowed = methods(path)
    if (allowed.length > 0) {
      void reply.header('allow', allowed.join(', '))
      throw new AppError(
        'method_not_allowed',
        `${request.method} is not answered here, only ${allowed.join(', ')}.`,
      )
    }
    const page = request.method === 'GET' || request.method === 'HEAD'
    if (!page || isApi(decoded(request.url)))
      throw new AppError('not_found', 'There is nothing at this address.')
    if (built) return sendWeb(request, reply, path)
    throw new AppError('not_found', 'The web is not built yet: run "npm run build".')
  })

  function sendWeb(_request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
    const name = decodeURIComponent(path).slice(1)
    // A missing asset is of another build; a page in its place would only confuse the browser.
    if (name.startsWith('assets/') && !files.has(name)) throw new AppError('not_found', 'No such file.')
    const asset = name.startsWith('assets/')
    void reply.header('cache-control', asset ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(files.has(name) ? name : 'index.html')
  }
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return (
    entries
      // What the build notes for itself is nobody else's.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      )
  )
}

/** What is registered from here on, and the methods that a path takes by it. */
function knownMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { methods: string[]; pattern: RegExp }[] = []
  const known: string[] = []
  app.decorate('knownRoutes', known)
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat()
    const escaped = url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')
    routes.push({ methods, pattern: new RegExp(`^${escaped}/?$`) })
    known.push(...methods.map((each) => `${each} ${url}`))
  })
  return (path) => [...new Set(routes.flatMap((route) => (route.pattern.test(path) ? route.methods : [])))]
}
