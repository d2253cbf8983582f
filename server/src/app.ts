import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from './kit/deps.ts'
import { registerErrors } from './kit/error-handler.ts'
import { registerBodies } from './kit/bodies.ts'

/** Builds the product's HTTP side, ready for `listen` or `inject`. The only place where its parts are wired. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: 1024 * 1024,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
  })
  app.decorateRequest('identity', null)
  registerErrors(app)
  registerBodies(app)
  await app.register(multipart)
  await app.ready()
  return app
}
