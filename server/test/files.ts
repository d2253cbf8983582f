import { randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Signed } from './app.ts'

export interface SentFile {
  name: string
  content: string | Buffer
}

/** A multipart form as a browser sends it: text fields, then the file. */
function form(file: SentFile | null, fields: Record<string, string>): { payload: Buffer; type: string } {
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

/** Sends a file as a person (null: nobody). */
export function sendFile(
  app: FastifyInstance,
  as: Signed | null,
  url: string,
  file: SentFile | null,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const { payload, type } = form(file, fields)
  const head = { ...as?.headers, ...headers, 'content-type': type }
  return app.inject({ method: 'POST', url, headers: head, payload })
}
