import { randomBytes } from 'node:crypto'
import type { Problem } from '@karvon/contract/lib/problem.ts'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import {
  CallRefusedError,
  type MessageFile,
  type ReceiverCall,
  type ReceiverCalls,
} from '../domains/view-messages/view-messages.calls.ts'
import type { Deps } from '../platform/deps.ts'
import { AppError } from '../platform/http/errors.ts'
import type { ExportBounds } from '../platform/exports/exports.send.ts'
import type { Identify } from '../platform/http/guard.ts'
import { createRequestLog } from '../platform/http/request-log.ts'
import { buildSerializer } from '../platform/http/serializers.ts'
import { maxMessageFileBytes, maxMessageFileRows, messageFileTimeout } from '../platform/limits/limits.ts'
import { openOnce } from '../platform/open-once.ts'
import { registerCallSupport } from './call-support.ts'
import { domainRoutes } from './routes.ts'

const fileBounds: ExportBounds = { maxRows: maxMessageFileRows, timeout: messageFileTimeout }

/**
 * Makes calls for the receivers of messages by the routes of all domains, in an app that never listens. Its only tokens are
 * random ones that live as long as their call, so guards, validation, scopes and limits are those of the receiver's own
 * request. The app opens with the first call.
 */
export function createReceiverCalls(deps: Deps, bounds = fileBounds): ReceiverCalls {
  const userIds = new Map<string, number>()
  const identify = async (token: string) => {
    const userId = userIds.get(token)
    return userId === undefined ? null : deps.identities.findPerson(userId)
  }
  const openApp = openOnce(() => openCalls(deps, { identify, bounds }))
  const withToken = async <T>(userId: number, work: (app: FastifyInstance, token: string) => Promise<T>) => {
    const token = randomBytes(32).toString('base64url')
    userIds.set(token, userId)
    try {
      return await work(await openApp(), token)
    } finally {
      userIds.delete(token)
    }
  }
  return {
    read: (call) => withToken(call.userId, (app, token) => readJson(app, token, call)),
    readFile: (call) => withToken(call.userId, (app, token) => readFile(app, token, call)),
  }
}

async function openCalls(
  deps: Deps,
  { identify, bounds }: { identify: Identify; bounds: ExportBounds },
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: { buildSerializer } },
    routerOptions: { ignoreTrailingSlash: true },
  })
  app.decorate('exportBounds', bounds)
  registerCallSupport(app, deps, identify)
  for (const register of domainRoutes) register(app, deps)
  await app.ready()
  return app
}

const buildRequest = (token: string, { call: { path }, query }: ReceiverCall) => ({
  method: 'GET' as const,
  url: path,
  query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  headers: { authorization: `Bearer ${token}` },
})

async function readJson(app: FastifyInstance, token: string, call: ReceiverCall): Promise<unknown> {
  const answer = await app.inject(buildRequest(token, call))
  if (answer.statusCode !== 200) throw new CallRefusedError(answer.statusCode, answer.json<Problem>())
  return answer.json<unknown>()
}

async function readFile(
  app: FastifyInstance,
  token: string,
  call: ReceiverCall,
): Promise<MessageFile | null> {
  const request = buildRequest(token, { ...call, query: { ...call.query, format: 'xlsx' } })
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.stream() as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxMessageFileBytes) {
        answer.raw.res.destroy()
        return null
      }
      chunks.push(chunk)
    }
  } catch {
    // The export closes a stream that has begun and cannot be completed.
    const endError = new AppError('export_ended')
    throw new CallRefusedError(endError.status, endError.problem())
  }
  const content = Buffer.concat(chunks)
  if (answer.statusCode !== 200)
    throw new CallRefusedError(answer.statusCode, JSON.parse(content.toString()) as Problem)
  const [, name = 'list.xlsx'] =
    /filename="([^"]+)"/.exec(String(answer.headers['content-disposition'])) ?? []
  return { name, content }
}
