import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startProduct } from '@karvon/testkit/product.ts'
import { startS3Server } from '@karvon/testkit/s3-server.ts'
import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { readConfig } from '../../config.ts'
import { openS3Store } from '../files/file-store.s3.ts'
import { MailError } from '../mail/mail.error.ts'
import { openMailer } from '../mail/mail.ts'
import { createTracing } from './tracing.otel.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}
interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code?: number }
}
interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A collector that keeps what it receives as OTLP's JSON. */
async function startCollector() {
  const requests: { url: string | undefined; headers: IncomingHttpHeaders; body: Export }[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ url: request.url, headers: request.headers, body: body as Export })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/**
 * Starts the product on a database of its own. Its output names each package of OpenTelemetry that it loads, except
 * the API, which prom-client loads.
 */
async function startTracedProduct(env: Record<string, string>) {
  const database = await createTestDatabase()
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  cleanups.push(() => database.drop())
  const watch = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(name)) process.stderr.write('Loads ' + name + '\\n')
      return next(name, context)
    } })`
  const product = await startProduct(folder, {
    DATABASE_URL: database.url,
    KARVON_ADMIN_PASSWORD: 'a-long-password',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}`,
    ...env,
  })
  return product
}

const read = ({ attributes }: { attributes: Attribute[] }, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('traces have requests, jobs and statements, and neither secrets nor data of people', async () => {
  const collector = await startCollector()
  const secrets = createTemporaryFolder()
  onTestFinished(() => rm(secrets, { recursive: true }))
  await writeFile(join(secrets, 'headers'), 'x-key=collector-key\n')
  const product = await startTracedProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: join(secrets, 'headers'),
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-desk=north%20side',
    OTEL_SERVICE_NAME: 'desk',
  })
  const traceId = 'a'.repeat(32)
  const send = (path: string, init?: RequestInit) =>
    fetch(`${product.url}${path}`, {
      ...init,
      headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01`, 'content-type': 'application/json' },
    })
  const body = JSON.stringify({ username: 'admin', password: 'a-long-password' })
  expect((await send('/parcel/auth/login', { method: 'POST', body })).status).toBe(200)
  expect((await send('/api/postback/hidden-key?phone=998901234567&name=Aziz')).status).toBe(404)
  await product.stop()

  expect(product.output).toContain('Loads @opentelemetry/sdk-trace')
  expect(collector.requests.length).toBeGreaterThan(0)
  for (const { url, headers } of collector.requests)
    expect([url, headers['x-key'], headers['x-desk']]).toEqual(['/v1/traces', 'collector-key', 'north side'])
  const resources = collector.requests.flatMap((request) => request.body.resourceSpans)
  expect(new Set(resources.map(({ resource }) => read(resource, 'service.name')))).toEqual(new Set(['desk']))
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const find = (name: string) => spans.find((span) => span.name === name)
  const statementsOf = (parent: Span | undefined) =>
    spans
      .filter(({ parentSpanId }) => parent !== undefined && parentSpanId === parent.spanId)
      .map((span) => read(span, 'db.query.text'))

  const signIn = find('POST /parcel/auth/login')
  expect(signIn).toMatchObject({ traceId, parentSpanId: 'b'.repeat(16) })
  expect(read(signIn ?? { attributes: [] }, 'http.response.status_code')).toBe(200)
  // The body of the sign-in is read before these statements.
  expect(statementsOf(signIn)).toContainEqual(expect.stringMatching(/insert into "?sessions/))
  const postback = find('GET /api/postback/:source_key')
  expect(read(postback ?? { attributes: [] }, 'http.response.status_code')).toBe(404)
  expect(statementsOf(postback).length).toBeGreaterThan(0)
  const job = spans.find(({ name }) => name.startsWith('job '))
  expect(job?.parentSpanId).toBeUndefined()
  expect(spans.some((span) => span.name.startsWith('job ') && statementsOf(span).length > 0)).toBe(true)
  expect(JSON.stringify(collector.requests.map((request) => request.body))).not.toMatch(
    /a-long-password|hidden-key|998901234567|Aziz|admin'/,
  )
})

test('a trace has the outgoing requests of a job with their host and status, and without their path', async () => {
  const collector = await startCollector()
  const telegram = createServer((_request, response) => {
    response.writeHead(502, { 'content-type': 'application/json' }).end('{"ok":false,"error_code":502}')
  }).listen(0, '127.0.0.1')
  await once(telegram, 'listening')
  cleanups.push(() => telegram.close())
  const host = `127.0.0.1:${(telegram.address() as AddressInfo).port}`
  const product = await startTracedProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    KARVON_TELEGRAM_TOKEN: '123:hidden-token',
    KARVON_TELEGRAM_ROOT: `http://${host}`,
  })
  const readSpans = () =>
    collector.requests
      .flatMap((request) => request.body.resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const find = () => readSpans().find(({ attributes }) => read({ attributes }, 'server.address') === host)
  await expect.poll(find).toBeDefined()
  await product.stop()
  const request = find()
  const parent = readSpans().find(({ spanId }) => spanId === request?.parentSpanId)
  expect([request?.name, parent?.name]).toEqual([`POST ${host}`, expect.stringMatching(/^job .*bot/)])
  expect(read(request ?? { attributes: [] }, 'http.response.status_code')).toBe(502)
  expect(JSON.stringify(collector.requests.map(({ body }) => body))).not.toContain('hidden-token')
})

test('a trace has the mails and the requests to a bucket of a job, and neither addresses nor keys', async () => {
  const collector = await startCollector()
  const [s3, smtp] = await Promise.all([startS3Server(), startSmtp()])
  cleanups.push(
    () => s3.close(),
    () => smtp.close(),
  )
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  cleanups.push(() => vi.unstubAllEnvs())
  const { s3: settings } = readConfig({ ...s3.env, DATABASE_URL: 'postgres://db/karvon' })
  if (settings === undefined) throw new Error('the settings have no bucket')
  const files = openS3Store(settings, createTemporaryFolder())
  const mailer = openMailer(smtp.url, { name: 'Karvon', address: 'desk@example.uz' })
  const mail = { to: 'aziz@example.uz', subject: 'Hidden subject', text: 'Hello' }
  const tracing = createTracing({ sampler: 'always_on', ratio: 1, headers: '' }, pino({ level: 'silent' }))
  await tracing.traceJob('mails', async () => {
    await files.writeMark('hidden-mark')
    await mailer.send(mail, AbortSignal.timeout(20_000))
    smtp.mode = 'busy'
    await expect(mailer.send(mail, AbortSignal.timeout(20_000))).rejects.toThrow(MailError)
  })
  await files.writeMark('outside of a trace')
  await tracing.close()

  const spans = collector.requests
    .flatMap(({ body }) => body.resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const job = spans.find(({ name }) => name === 'job mails')
  const calls = spans.filter(({ parentSpanId }) => parentSpanId === job?.spanId)
  expect(calls.map((span) => [span.name.split(' ')[0], read(span, 'error.type')])).toEqual([
    ['PutObjectCommand', undefined],
    ['SMTP', undefined],
    ['SMTP', 'EENVELOPE'],
  ])
  expect(spans).toHaveLength(4)
  expect(JSON.stringify(spans)).not.toMatch(/aziz|hidden/i)
})

test('without the variables no package of OpenTelemetry is loaded', async () => {
  const product = await startTracedProduct({})
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
  await product.stop()
  expect(product.output).not.toContain('Loads @opentelemetry/')
})

test('an unreachable collector is logged once, and the product stops in time', async () => {
  const product = await startTracedProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  })
  for (let n = 0; n < 20; n += 1) expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
  await product.waitFor(/"msg":"Tracing"/)
  await product.stop()
  expect(product.end?.code).toBe(0)
})
