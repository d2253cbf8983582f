import Fastify, { LogController } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createRequestLog } from './request-log.ts'

function createLoggedApp(level: string) {
  const lines: Record<string, unknown>[] = []
  let children = 0
  const onChild = () => void (children += 1)
  const log = pino(
    { level, onChild },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[0]) },
  )
  const app = Fastify({
    loggerInstance: log,
    childLoggerFactory: createRequestLog,
    genReqId: () => 'id-1',
    logController: new LogController({ disableRequestLogging: true }),
  })
  return { app, lines, countChildren: () => children }
}

test('each line of the log of a request has the id of the request and the level of its method', async () => {
  const { app, lines } = createLoggedApp('trace')
  app.get('/', async ({ log }) => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
      log[level]({ level_name: level }, 'Said %s', level)
    log.silent('Not written')
    log.child({ part: 'child' }).info('Said by a child')
    return log.level
  })
  expect((await app.inject('/')).body).toBe('trace')
  expect(lines.map(({ reqId, level, msg }) => [reqId, level, msg])).toEqual([
    ['id-1', 10, 'Said trace'],
    ['id-1', 20, 'Said debug'],
    ['id-1', 30, 'Said info'],
    ['id-1', 40, 'Said warn'],
    ['id-1', 50, 'Said error'],
    ['id-1', 60, 'Said fatal'],
    ['id-1', 30, 'Said by a child'],
  ])
  expect(lines.at(-1)).toMatchObject({ part: 'child' })
})

test('a request that logs nothing creates no logger', async () => {
  const { app, countChildren } = createLoggedApp('info')
  app.get('/', async () => 'answer')
  app.get('/logged', async ({ log }) => {
    log.info('First')
    log.info('Second')
    return 'answer'
  })
  await app.ready()
  const before = countChildren()
  await app.inject('/')
  expect(countChildren()).toBe(before)
  await app.inject('/logged')
  expect(countChildren()).toBe(before + 1)
})
