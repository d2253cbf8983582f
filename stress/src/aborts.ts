import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { send } from './client.ts'
import { findLeakedResources } from './leaks.ts'
import { ownSessionOperations } from './fuzz.attack.ts'
import { filePart, plainForm, type Body } from './fuzz.forms.ts'
import { readOperations, type Operation } from './fuzz.operations.ts'
import { validObject } from './fuzz.schema.ts'
import type { PartResult, Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'

const extents = { long: 10_000, short: 600 } as const
const connections = 24
/** Maximum milliseconds between the last byte and the break of the connection. */
const maxDelay = 60
const seed = 20_261_122

/** The id of no row, so that a complete request changes nothing. */
const unknownId = '999999999'

/** A request to the operation as bytes. Its file is a small spreadsheet. */
function requestTo(operation: Operation, token: string): fc.Arbitrary<Buffer> {
  const path = operation.path.replaceAll(/\{\w+\}/g, unknownId)
  return bodyOf(operation).map((body) => {
    const head = [
      `${operation.method} ${path} HTTP/1.1`,
      'host: karvon',
      `authorization: Bearer ${token}`,
      ...(body === null ? [] : [`content-type: ${body.type}`, `content-length: ${body.bytes.length}`]),
    ]
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body?.bytes ?? Buffer.alloc(0)])
  })
}

const noId = () => fc.constant(null)

function bodyOf({ bodies }: Operation): fc.Arbitrary<Body | null> {
  const json = bodies['application/json']
  const form = bodies['multipart/form-data']
  if (json !== undefined)
    return validObject(json, noId).map((body) => ({
      type: 'application/json',
      bytes: Buffer.from(JSON.stringify(body)),
    }))
  if (form === undefined) return fc.constant(null)
  const { file: _, ...fields } = form.properties ?? {}
  return validObject({ ...form, properties: fields, required: [] }, noId).map((body) =>
    plainForm(body, filePart('file', 'a.csv', table)),
  )
}

const table = Buffer.from(`orderno,person\r\n${'T1,Aziza\r\n'.repeat(400)}`)

/** How a connection breaks: after a part of the bytes or all of them, by a regular end or by a reset. */
const waysToAbort = fc.noBias(
  fc.record({
    isWhole: fc.boolean(),
    share: fc.nat(999).map((thousandths) => thousandths / 1000),
    milliseconds: fc.nat(maxDelay),
    isReset: fc.boolean(),
  }),
)

type Abort = typeof waysToAbort extends fc.Arbitrary<infer T> ? T : never

async function sendAndAbort(
  url: URL,
  bytes: Buffer,
  { isWhole, share, milliseconds, isReset }: Abort,
): Promise<void> {
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  socket.on('error', () => {})
  socket.on('data', () => {})
  await once(socket, 'connect')
  socket.write(isWhole ? bytes : bytes.subarray(0, 1 + bytes.length * share))
  await sleep(milliseconds)
  if (isReset) socket.resetAndDestroy()
  else socket.destroy()
}

async function run(extent: 'long' | 'short', log: (line: string) => void): Promise<PartResult> {
  const requests = extents[extent]
  await using folder = await createFolder()
  const product = await startProduct(folder.path, { KARVON_DEMO: 'on' })
  try {
    const token = await signIn(product.url)
    const operations = (await readOperations(product.url, token)).filter(
      ({ id }) => !ownSessionOperations.test(id),
    )
    const url = new URL(product.url)
    let abortedCount = 0
    const worker = async () => {
      while (abortedCount < requests && product.end === null) {
        const operation = operations[abortedCount % operations.length]
        if (operation === undefined) return
        abortedCount += 1
        const attempts = fc.sample(fc.tuple(requestTo(operation, token), waysToAbort), {
          seed: seed + abortedCount,
          numRuns: 1,
        })
        for (const [bytes, how] of attempts) await sendAndAbort(url, bytes, how).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
    log(`${abortedCount} requests to ${operations.length} operations cut off`)
    const endFailures = product.end === null ? [] : ['The product ended']
    const leakedResources = endFailures.length > 0 ? [] : await findLeakedResources(product.url)
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        send(product.url, token, {
          method: 'POST',
          path: '/api/parcel/files/upload/',
          file: { name: `after-${n}.pdf`, content: '%PDF-1.4\n%%EOF\n' },
        }),
      ),
    )
    const refusals = answers.filter(({ status }) => status >= 300 || status === 0)
    return {
      figures: {
        operations: operations.length,
        'requests cut off': abortedCount,
        'uploads afterwards': answers.length,
        refused: refusals.length,
      },
      failures: [
        ...endFailures,
        ...leakedResources.map((resource) => `Still leaked: ${resource}`),
        ...refusals.map(
          ({ status, text }) => `An upload afterwards was answered ${status}: ${text.slice(0, 200)}`,
        ),
      ],
    }
  } finally {
    await product.stop()
  }
}

export const abortsPart: Part = {
  name: 'aborts',
  description: 'Thousands of requests cut off at any byte leave no resource held, and uploads still work.',
  run,
}
