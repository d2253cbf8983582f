import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { stillHeld } from './held.ts'
import { ownEnd } from './hostile.attack.ts'
import { plainForm, type Body } from './hostile.forms.ts'
import { readOperations, type Operation } from './hostile.operations.ts'
import { Random } from './hostile.random.ts'
import { validObject } from './hostile.schema.ts'
import type { Outcome, Part } from './part.ts'
import { newFolder, signIn, startProduct } from './product.ts'

const extents = { long: 10_000, short: 600 } as const
const connections = 24
/** Milliseconds after the last byte within which a connection is torn. */
const longest = 60
const seed = 20_261_122

/** No such row: what arrives whole changes nothing that others use. */
const unknownId = '999999999'

/** A request to the operation as bytes; its file, where it takes one, is a small table. */
function requestTo(operation: Operation, token: string, random: Random): Buffer {
  const body = bodyOf(operation, random)
  const path = operation.path.replaceAll(/\{\w+\}/g, unknownId)
  const head = [
    `${operation.method} ${path} HTTP/1.1`,
    'host: karvon',
    `authorization: Bearer ${token}`,
    ...(body === null ? [] : [`content-type: ${body.type}`, `content-length: ${body.bytes.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body?.bytes ?? Buffer.alloc(0)])
}

function bodyOf({ takes }: Operation, random: Random): Body | null {
  const json = takes['application/json']
  const form = takes['multipart/form-data']
  if (json !== undefined)
    return {
      type: 'application/json',
      bytes: Buffer.from(JSON.stringify(validObject(json, random, () => null))),
    }
  if (form === undefined) return null
  const boundary = `b${random.below(1e9)}`
  const { file: _, ...fields } = form.properties ?? {}
  const rest = plainForm(
    validObject({ ...form, properties: fields, required: [] }, random, () => null),
    boundary,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\norderno,person\r\n${'T1,Aziza\r\n'.repeat(400)}\r\n`
  return { type: rest.type, bytes: Buffer.concat([Buffer.from(file), rest.bytes]) }
}

/** Sends the bytes up to a random one, or all of them, and breaks the connection off, by its end or by a reset. */
async function tear(url: URL, bytes: Buffer, random: Random): Promise<void> {
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  socket.on('error', () => {})
  socket.on('data', () => {})
  await once(socket, 'connect')
  const whole = random.chance(0.5)
  socket.write(whole ? bytes : bytes.subarray(0, 1 + random.below(bytes.length)))
  await sleep(random.below(longest))
  if (random.chance(0.5)) socket.resetAndDestroy()
  else socket.destroy()
}

async function run(extent: 'long' | 'short', say: (line: string) => void): Promise<Outcome> {
  const requests = extents[extent]
  await using folder = await newFolder()
  const product = await startProduct(folder.path, { KARVON_DEMO: 'on' })
  try {
    const token = await signIn(product.url)
    const operations = (await readOperations(product.url, token)).filter(({ id }) => !ownEnd.test(id))
    const random = new Random(seed)
    const url = new URL(product.url)
    let torn = 0
    const worker = async () => {
      while (torn < requests && product.ended() === null) {
        const operation = operations[torn % operations.length]
        if (operation === undefined) return
        torn += 1
        await tear(url, requestTo(operation, token, random), random).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
    say(`${torn} requests to ${operations.length} operations torn`)
    const ended = product.ended() === null ? [] : ['The product ended']
    const held = ended.length > 0 ? [] : await stillHeld(product.url)
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        send(product.url, token, {
          method: 'POST',
          path: '/api/parcel/files/upload/',
          file: { name: `after-${n}.pdf`, content: '%PDF-1.4\n%%EOF\n' },
        }),
      ),
    )
    const refused = answers.filter(({ status }) => status >= 300 || status === 0)
    return {
      figures: {
        operations: operations.length,
        torn,
        'uploads afterwards': answers.length,
        refused: refused.length,
      },
      faults: [
        ...ended,
        ...held.map((each) => `Still held: ${each}`),
        ...refused.map(
          ({ status, text }) => `An upload afterwards was answered ${status}: ${text.slice(0, 200)}`,
        ),
      ],
    }
  } finally {
    await product.stop()
  }
}

export const tornPart: Part = {
  name: 'torn',
  about:
    'after thousands of requests to every operation were torn at any byte, nothing is held and uploads are taken',
  run,
}
