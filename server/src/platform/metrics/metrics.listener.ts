import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../http/errors.ts'
import { refuseMetrics } from './metrics.access.ts'

const maxConnections = 32
/** Milliseconds. */
const timeout = 10_000

/** Serves the metrics on a separate port from the start of the app until its end. */
export function listenForMetrics(
  app: FastifyInstance,
  { metrics, host }: Config,
  read: () => Promise<{ type: string; text: string }>,
): void {
  const { port } = metrics
  if (port === undefined) return
  const server: Server = createServer((request, response) => {
    const send = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? '' : text)
    const answer = async () => {
      if (request.url?.split('?')[0] !== '/metrics') throw new AppError('metrics_only')
      refuseMetrics(metrics, request, true)
      const { type, text } = await read()
      send(200, type, text)
    }
    answer().catch((error: unknown) => {
      const knownError = error instanceof AppError ? error : new AppError('metrics_unreadable')
      if (knownError !== error) app.log.error({ err: error }, 'Could not read the metrics')
      send(knownError.status, 'application/json; charset=utf-8', JSON.stringify(knownError.problem()))
    })
  })
  server.maxConnections = maxConnections
  server.requestTimeout = timeout
  server.headersTimeout = timeout
  // Not onListen, which only logs an error: a process whose metrics nobody can read does not start.
  app.addHook('onReady', async () => {
    const listening = Promise.withResolvers<void>()
    server.once('error', listening.reject)
    server.listen(port, host, listening.resolve)
    await listening.promise
  })
  app.addHook('onClose', async () => {
    server.close()
    server.closeAllConnections()
  })
}
