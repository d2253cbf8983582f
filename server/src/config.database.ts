import { readFileSync } from 'node:fs'
import { addParameters, parseDatabaseUrl } from './config.database-url.ts'
import type { EnvironmentReader } from './config.reader.ts'

/** The settings of the database. Each URL has the TLS settings of the environment as parameters. */
export interface DatabaseSettings {
  /** Undefined: the embedded PostgreSQL in the data folder. */
  databaseUrl: string | undefined
  /** PostgreSQL itself, if `databaseUrl` is the address of a pooler in transaction mode. */
  databaseDirectUrl: string | undefined
  /** A standby that answers calls of people that change nothing; undefined: the primary answers all calls. */
  databaseReadUrl: string | undefined
  /** Seconds that the standby may be behind the primary. */
  databaseReadMaxLag: number
  /** Maximum number of connections of one process for its calls and jobs. */
  databasePool: number
  /** Whether a start applies pending migrations, or waits until `karvon migrate` has applied them. */
  migrations: 'apply' | 'wait'
}

/** The variables of libpq and the parameters of a URL that mean the same. */
const tlsVariables = [
  ['PGSSLMODE', 'sslmode'],
  ['PGSSLROOTCERT', 'sslrootcert'],
  ['PGSSLCERT', 'sslcert'],
  ['PGSSLKEY', 'sslkey'],
] as const

/** The embedded PostgreSQL accepts 50 connections, those of `karvon check` and of a backup included. */
const maxEmbeddedPool = 40

/** Reads the settings of the database. A direct URL alone would leave the calls without a database. */
export function readDatabaseSettings(reader: EnvironmentReader): DatabaseSettings {
  const tls = tlsVariables.flatMap(([variable, parameter]) => {
    const value = reader.readText(variable)
    if (value === undefined) return []
    if (variable !== 'PGSSLMODE' && value !== 'system') requireReadable(reader, variable, value)
    return [[parameter, value] as const]
  })
  const readUrl = (name: string) => {
    const url = reader.readDatabaseUrl(name)
    if (url === undefined) return undefined
    const completeUrl = addParameters(url, tls)
    try {
      parseDatabaseUrl(completeUrl)
    } catch (error) {
      reader.addProblem(`${name} cannot be used: ${(error as Error).message}.`)
    }
    return completeUrl
  }
  if (reader.isSet('KARVON_DATABASE_DIRECT_URL') && !reader.isSet('DATABASE_URL'))
    reader.addProblem(
      'KARVON_DATABASE_DIRECT_URL needs DATABASE_URL: set DATABASE_URL to the pooler, or alone to PostgreSQL itself.',
    )
  if (reader.isSet('KARVON_DATABASE_READ_URL') && !reader.isSet('DATABASE_URL'))
    reader.addProblem('KARVON_DATABASE_READ_URL needs DATABASE_URL: the primary of the standby.')
  const databaseUrl = readUrl('DATABASE_URL')
  const databaseReadUrl = readUrl('KARVON_DATABASE_READ_URL')
  if (databaseReadUrl !== undefined && countHosts(databaseReadUrl) > 1)
    reader.addProblem('KARVON_DATABASE_READ_URL must name one host: two standbys are not equally far.')
  const max = databaseUrl === undefined ? maxEmbeddedPool : 200
  return {
    databaseUrl,
    databaseReadUrl,
    databaseReadMaxLag: reader.readInteger('KARVON_DATABASE_READ_MAX_LAG', {
      defaultValue: 10,
      min: 1,
      max: 3600,
    }),
    databaseDirectUrl: readUrl('KARVON_DATABASE_DIRECT_URL'),
    migrations: reader.readChoice('KARVON_MIGRATIONS', ['apply', 'wait']),
    databasePool: reader.readInteger('KARVON_DATABASE_POOL', { defaultValue: 10, min: 5, max }),
  }
}

function countHosts(url: string): number {
  try {
    return parseDatabaseUrl(url).hostUrls.length
  } catch {
    // `readUrl` has reported it.
    return 0
  }
}

function requireReadable(reader: EnvironmentReader, name: string, path: string): void {
  try {
    readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    reader.addProblem(`${name} names a file that cannot be read (${code}): ${JSON.stringify(path)}.`)
  }
}
