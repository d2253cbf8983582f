import { randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Session } from './app.ts'

export interface TestFile {
  name: string
  content: string | Buffer
}

/** Builds a multipart form as a browser does: text fields, then the file. */
function buildForm(file: TestFile | null, fields: Record<string, string>): { payload: Buffer; type: string } {
  const boundary = `----${randomUUID()}`
  const parts: (string | Buffer)[] = []
  for (const [name, value] of Object.entries(fields)) {
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  }
  if (file !== null) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name.replaceAll('"', '%22')}"\r\n`,
      'Content-Type: application/octet-stream\r\n\r\n',
      file.content,
      '\r\n',
    )
  }
  parts.push(`--${boundary}--\r\n`)
  return {
    payload: Buffer.concat(parts.map((part) => Buffer.from(part))),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** The media type of {@link buildTextForm}. */
export const textFormType = 'multipart/form-data; boundary=x'

/** Builds a multipart form of texts. A name may come several times. */
export function buildTextForm(fields: Iterable<readonly [name: string, value: string]>): string {
  const parts = Array.from(
    fields,
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--x--\r\n`
}

/** Sends a file with a session. Null: without a session. */
export function sendFile(
  app: FastifyInstance,
  as: Session | null,
  url: string,
  file: TestFile | null,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const { payload, type } = buildForm(file, fields)
  const allHeaders = { ...as?.headers, ...headers, 'content-type': type }
  return app.inject({ method: 'POST', url, headers: allHeaders, payload })
}
