import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import { groupFields } from './form-fields.ts'
import { quoteLongNumbers } from './exact-json.ts'

/**
 * Registers the parsers of bodies. JSON: an empty body counts as no body, prototype keys are removed, and a whole number
 * that a double would round becomes text. JSON that is not UTF-8 is refused, except by calls that accept any type: the
 * log of postbacks has every request. Forms: an object of {@link groupFields}. Other types: undefined, because calls without a body
 * accept any type.
 */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const acceptsAny = request.routeOptions.config.call?.consumes === 'any'
    if (!acceptsAny && !isUtf8(body))
      return done(new AppError('malformed', { message: 'The body is not UTF-8.' }))
    const text = body.toString()
    if (text.trim() === '') return done(null, undefined)
    return parseJson(request, quoteLongNumbers(text), done)
  })
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(groupFields(new URLSearchParams(body)))),
  )
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, _body, done) =>
    done(null, undefined),
  )
}
