import type { FastifyInstance } from 'fastify'

/**
 * Logs each answered request: method, route, status and milliseconds. The route is the pattern of the path, because
 * paths and queries have secrets and personal data.
 */
export function registerAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.info(
      {
        method,
        route: routeOptions.url ?? 'other',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'Request',
    )
  })
}
