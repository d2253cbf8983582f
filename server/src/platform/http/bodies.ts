import type { FastifyInstance } from 'fastify'
import { quoteLongNumbers } from './exact-json.ts'

/**
 * Registers the parsers of bodies. JSON: an empty body counts as no body, prototype keys are removed, and a whole number
 * that a double would round becomes text. Forms: an object of texts. Other types: undefined, because calls without a body accept any type.
 */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined)
    return parseJson(request, quoteLongNumbers(body), done)
  })
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  )
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, _body, done) =>
    done(null, undefined),
  )
}
