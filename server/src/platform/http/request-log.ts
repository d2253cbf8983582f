import type { FastifyBaseLogger } from 'fastify'

type ChildOptions = Parameters<FastifyBaseLogger['child']>
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * The log of a request, which adds the id of the request to each line. It creates pino's child at the first line,
 * because most requests log nothing.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #options: ChildOptions
  #child: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, options: ChildOptions) {
    this.#parent = parent
    this.#options = options
  }

  get level(): string {
    return this.#parent.level
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }

  error(...line: unknown[]): void {
    this.#write('error', line)
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }

  info(...line: unknown[]): void {
    this.#write('info', line)
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }

  silent(...line: unknown[]): void {
    this.#write('silent', line)
  }

  child(...options: ChildOptions): FastifyBaseLogger {
    return this.#openChild().child(...options)
  }

  #openChild(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(...this.#options)
    return this.#child
  }

  #write(level: Level, line: unknown[]): void {
    const child = this.#openChild()
    Reflect.apply(child[level], child, line)
  }
}

/** For Fastify's `childLoggerFactory`. */
export const createRequestLog = (parent: FastifyBaseLogger, ...options: ChildOptions): FastifyBaseLogger =>
  new RequestLog(parent, options)
