import type { FastifyInstance } from 'fastify'

/**
 * How bodies are read: JSON where an empty body is no body and prototype keys are dropped; forms; and
 * anything else as nothing, for calls that take no body. Which of them a call takes is its own declaration's.
 */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined)
    return parseJson(request, body, done)
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
