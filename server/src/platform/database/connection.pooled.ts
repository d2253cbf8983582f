import type pg from 'pg'
import { formatSetting } from './connection.check.ts'
import { DatabaseClient, type ConnectionSettings } from './connection.ts'

/**
 * A client behind a pooler in transaction mode, where each transaction may run in another session. It sends its
 * settings with each transaction or single statement, in the same round trip. Its statements have no names, because
 * the next session has not prepared them. It has no session locks and no LISTEN.
 */
export class PooledClient extends DatabaseClient {
  /** Milliseconds, from the next transaction on. */
  statementTimeout: number | undefined

  constructor(settings: ConnectionSettings) {
    super(settings)
    const query = this.query.bind(this) as (config: unknown, ...others: unknown[]) => unknown
    this.query = ((config: unknown, ...furtherArguments: unknown[]) =>
      query(withoutName(config), ...furtherArguments)) as typeof this.query
    prependStatement(this, () => {
      const { sessionSettings } = settings
      const timeout = this.statementTimeout
      return formatLocalSettings(
        timeout === undefined ? sessionSettings : { ...sessionSettings, statement_timeout: String(timeout) },
      )
    })
  }

  protected override async prepareSession(): Promise<void> {}
}

function withoutName(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || 'submit' in config) return config
  return { ...config, name: undefined }
}

/** A statement that returns no row: `concat` is never null, and it evaluates each of its arguments. */
function formatLocalSettings(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(([name, value]) => formatSetting(name, value, true))
  return `select where concat(${calls.join(', ')}) is null`
}

/** The part of the driver's connection that sends statements and reports messages. Its types do not declare it. */
interface StatementConnection {
  on(event: 'readyForQuery', listener: (message: { status: string }) => void): void
  emit(event: string, ...values: unknown[]): boolean
  query(text: string): void
  parse(statement: { text: string }): void
  bind(portal: { values: unknown[] }): void
  execute(portal: object): void
}

const beginPattern = /^\s*(?:begin|start\s+transaction)\b[^;]*/i

/**
 * Sends `getStatement()` before each statement that begins a transaction of its own, and after each BEGIN. All messages
 * until the next Sync are one transaction, so a single statement needs no BEGIN. The result is hidden from the driver.
 */
function prependStatement(client: pg.Client, getStatement: () => string): void {
  const { connection } = client as unknown as { connection: StatementConnection }
  const emit = connection.emit.bind(connection)
  const query = connection.query.bind(connection)
  const parse = connection.parse.bind(connection)
  let isInTransaction = false
  /** Results before the hidden one; undefined when it has passed. */
  let resultsBefore: number | undefined
  connection.on('readyForQuery', ({ status }) => {
    isInTransaction = status !== 'I'
    resultsBefore = undefined
  })
  connection.query = (text) => {
    if (isInTransaction) return query(text)
    const begin = beginPattern.exec(text)?.[0]
    resultsBefore = begin === undefined ? 0 : 1
    if (begin === undefined) query(`${getStatement()}; ${text}`)
    else query(`${begin}; ${getStatement()}${text.slice(begin.length)}`)
  }
  connection.parse = (statement) => {
    if (!isInTransaction) {
      resultsBefore = 0
      parse({ text: getStatement() })
      connection.bind({ values: [] })
      connection.execute({})
    }
    parse(statement)
  }
  connection.emit = (event, ...values) => {
    if (resultsBefore === 0 && event === 'rowDescription') return true
    if (event !== 'commandComplete' || resultsBefore === undefined) return emit(event, ...values)
    if (resultsBefore === 0) {
      resultsBefore = undefined
      return true
    }
    resultsBefore -= 1
    return emit(event, ...values)
  }
}
