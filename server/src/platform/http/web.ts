import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, notFound } from './errors.ts'
import { decodePath, isApiPath } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `METHOD path` of every registered route. */
    knownRoutes: readonly string[]
  }
}

/**
 * Answers requests that match no call: 405 with Allow when the path has other methods, 404 as JSON below /api and
 * /parcel, else the built web app. Every page of the app is index.html. Without a folder there is no web app: 404 as JSON.
 */
export async function registerWeb(app: FastifyInstance, folder: string | null): Promise<void> {
  const listMethods = trackRoutes(app)
  const isBuilt = folder !== null && existsSync(join(folder, 'index.html'))
  const files = new Set(isBuilt ? listFiles(folder) : [])
  if (isBuilt)
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      cacheControl: false,
      preCompressed: true,
    })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const allowedMethods = listMethods(path)
    if (allowedMethods.length > 0) {
      void reply.header('allow', allowedMethods.join(', '))
      throw new AppError('method_not_allowed', { method: request.method, allowed: allowedMethods.join(', ') })
    }
    const isPageRequest = request.method === 'GET' || request.method === 'HEAD'
    if (folder === null || !isPageRequest || isApiPath(decodePath(request.url)))
      throw new AppError('no_such_address')
    if (isBuilt) return sendWeb(reply, path)
    throw new AppError('web_not_built')
  })

  function sendWeb(reply: FastifyReply, path: string): FastifyReply {
    const name = decodeURIComponent(path).slice(1)
    const isAsset = name.startsWith('assets/')
    // A missing asset belongs to another build. The browser must not get a page instead.
    if (isAsset && !files.has(name)) throw notFound('file')
    void reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(files.has(name) ? name : 'index.html')
  }
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return (
    entries
      // Hidden files are metadata of the build.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      )
  )
}

/** Records the routes that are registered from now on. Returns a function that lists the methods of a path. */
function trackRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes: { methods: string[]; pattern: RegExp }[] = []
  const knownRoutes: string[] = []
  app.decorate('knownRoutes', knownRoutes)
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat()
    const escapedUrl = url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')
    routes.push({ methods, pattern: new RegExp(`^${escapedUrl}/?$`) })
    knownRoutes.push(...methods.map((routeMethod) => `${routeMethod} ${url}`))
  })
  return (path) => [...new Set(routes.flatMap((route) => (route.pattern.test(path) ? route.methods : [])))]
}
