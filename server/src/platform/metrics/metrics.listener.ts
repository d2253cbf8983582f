import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../http/errors.ts'
import { refuseMetrics } from './metrics.access.ts'

/** Bounds of what connects to the port of the metrics; milliseconds. */
const bounds = { connections: 32, patience: 10_000 }

/** Answers the metrics on a port of their own, from when the app listens until it closes. */
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
      if (request.url?.split('?')[0] !== '/metrics') throw new AppError('not_found', 'Only /metrics is here.')
      refuseMetrics(metrics, request, true)
      const { type, text } = await read()
      send(200, type, text)
    }
    answer().catch((error: unknown) => {
      const known =
        error instanceof AppError ? error : new AppError('internal', 'The metrics cannot be read.')
      if (known !== error) app.log.error({ err: error }, 'Could not read the metrics')
      send(known.status, 'application/json; charset=utf-8', JSON.stringify(known.problem()))
    })
  })
  server.maxConnections = bounds.connections
  server.requestTimeout = bounds.patience
  server.headersTimeout = bounds.patience
  app.addHook('onListen', async () => {
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
