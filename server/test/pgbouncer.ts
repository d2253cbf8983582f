import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from '../src/platform/database/embedded.account.ts'
import { testBinaries } from './binaries.ts'
import { buildDatabaseUrl } from './database.ts'
import { createTemporaryFolder } from './folder.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'

/** The program of Debian's package; null without it. */
export const pgbouncerProgram = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(canRun) ?? null

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts PgBouncer in front of the server of the tests. `buildUrl` gives the address of a database behind it. */
export async function startPgbouncer(poolMode: 'session' | 'transaction') {
  const socket = new URL(buildDatabaseUrl('postgres').replace(/@\//, '@localhost/'))
  const host = socket.searchParams.get('host') ?? socket.hostname
  const folder = createTemporaryFolder()
  const home = join(folder, 'pgbouncer')
  mkdirSync(home)
  const port = await findFreePort()
  const configuration = join(home, 'pgbouncer.ini')
  const users = join(home, 'users.txt')
  writeFileSync(users, `"${socket.username}" "${decodeURIComponent(socket.password)}"\n`)
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=${host} port=${socket.searchParams.get('port') ?? (socket.port || '5432')}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      `pool_mode = ${poolMode}`,
      'max_client_conn = 1000',
      // Seconds. Some tests stop the database for a moment.
      'server_login_retry = 1',
      '',
    ].join('\n'),
  )
  // PgBouncer refuses root, and PostgreSQL's socket is open to its own account alone: that of its folder.
  const { prefix, ids } = chooseAccount(home, testBinaries())
  const [program, ...args] = [...prefix, pgbouncerProgram ?? 'pgbouncer', configuration]
  const child = spawn(program, args, ids)
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}:\n${output}`)
    await sleep(20)
  }
  return {
    buildUrl: (database: string) => `postgresql://${socket.username}@127.0.0.1:${port}/${database}`,
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      rmSync(folder, { recursive: true })
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
