import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount, type Account } from '@karvon/server/platform/database/embedded.account.ts'
import { findBinaries } from '@karvon/server/platform/database/embedded.binaries.ts'
import {
  buildProgramEnvironment,
  changeFolderOwner,
} from '@karvon/server/platform/database/embedded.cluster.ts'
import { findServerProcesses } from '@karvon/server/platform/database/embedded.orphan.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'

const shippedFile = join(import.meta.dirname, '..', '..', 'deploy', 'patroni', 'config.yml')
const programs = {
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  etcd: '/usr/bin/etcd',
  pgRewind: '/usr/lib/postgresql/15/bin/pg_rewind',
}
const missingProgram = Object.values(programs).find((program) => !existsSync(program))
/** Why no cluster of Patroni can run on this machine; undefined if one can. */
export const missingPatroni =
  missingProgram && `${missingProgram} is missing: apt-get install patroni etcd-server postgresql-15`

const password = 'karvon-stress'
/** Milliseconds until a cluster must have a primary or a synchronous standby again. */
const maxWait = 180_000

/** A node: Patroni with its PostgreSQL. */
export interface PatroniNode {
  name: string
  port: number
  start(): void
  /** kill -9 of Patroni and of the main process of PostgreSQL. */
  kill(): Promise<void>
}

/** Moments before and after a promotion. */
export interface Promotion {
  after: number
  before: number
}

interface Member {
  name: string
  role: string
  state: string
}

interface Workplace {
  folder: string
  account: Account
}

/** etcd and nodes with the configuration file of docs/operations/patroni.md. */
export class PatroniCluster {
  readonly nodes: readonly PatroniNode[]
  readonly #workplace: Workplace
  readonly #etcdPort: number
  readonly #restPorts: readonly number[]

  private constructor(workplace: Workplace, ports: { etcd: number; nodes: readonly NodePorts[] }) {
    this.#workplace = workplace
    this.#etcdPort = ports.etcd
    this.#restPorts = ports.nodes.map(({ rest }) => rest)
    this.nodes = ports.nodes.map((nodePorts, index) =>
      createNode(workplace, { name: `pg${index + 1}`, etcdPort: ports.etcd, ...nodePorts }),
    )
  }

  /** Starts a cluster in a new folder, with the role and the database of the product. `cleanup` ends it. */
  static async start(
    folder: string,
    nodeCount: number,
    cleanup: AsyncDisposableStack,
  ): Promise<PatroniCluster> {
    mkdirSync(folder, { mode: 0o711 })
    const workplace = { folder, account: chooseAccount(folder, findBinaries()) }
    const etcd = await startEtcd(workplace)
    cleanup.defer(() => endProcess(etcd.child))
    const nodes: NodePorts[] = []
    for (let index = 0; index < nodeCount; index += 1)
      nodes.push({ port: await findFreePort(), rest: await findFreePort() })
    const cluster = new PatroniCluster(workplace, { etcd: etcd.port, nodes })
    for (const node of cluster.nodes) {
      cleanup.defer(() => node.kill())
      node.start()
    }
    await cluster.waitUntilComplete()
    await cluster.#createDatabase()
    return cluster
  }

  /** The address of the product's database on all nodes. */
  get url(): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`)
    return `postgres://karvon:${password}@${hosts.join()}/karvon?target_session_attrs=read-write`
  }

  /** The present primary, and its standby that may replace it, when all nodes run and one is synchronous. */
  async waitUntilComplete(): Promise<{ primary: PatroniNode; standby: PatroniNode }> {
    for (let startedAt = performance.now(), members: Member[] = []; ; await sleep(200)) {
      members = await this.#readMembers()
      const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
      const primary = this.#findNode(running.find(({ role }) => role === 'leader'))
      const standby = this.#findNode(running.find(({ role }) => role === 'sync_standby'))
      if (running.length === this.nodes.length && primary && standby) return { primary, standby }
      if (performance.now() - startedAt > maxWait)
        throw new Error(`The cluster is not complete: ${JSON.stringify(members)}`)
    }
  }

  /** Makes a standby the primary, by the command of an operator. */
  async switchOver(primary: PatroniNode, standby: PatroniNode): Promise<void> {
    const { folder, account } = this.#workplace
    const args = ['switchover', 'karvon', '--leader', primary.name, '--candidate', standby.name, '--force']
    const log = join(folder, 'patronictl.log')
    const child = spawnProgram(account, {
      command: [programs.patronictl, '--config-file', join(folder, primary.name, 'config.yml'), ...args],
      env: { PATRONI_ETCD_HOSTS: `127.0.0.1:${this.#etcdPort}` },
      log,
    })
    await new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode !== 0) throw new Error(`The switchover failed:\n${readFileSync(log, 'utf8')}`)
  }

  /** Resolves when the standby has become the primary. The promotion was between two moments of `performance.now()`. */
  async waitForPromotion({ port }: PatroniNode): Promise<Promotion> {
    const client = await connect(port)
    const text = 'select pg_is_in_recovery() as is_standby'
    try {
      for (let after = performance.now(), startedAt = after; ; await sleep(10)) {
        const queriedAt = performance.now()
        const { rows } = await client.query<{ is_standby: boolean }>(text)
        if (rows[0]?.is_standby === false) return { after, before: performance.now() }
        after = queriedAt
        if (after - startedAt > maxWait) throw new Error('The standby was not promoted')
      }
    } finally {
      await client.end()
    }
  }

  /** Runs one statement as the superuser in the database of the product. */
  async execute<Row extends pg.QueryResultRow>({ port }: PatroniNode, text: string): Promise<Row[]> {
    const client = await connect(port, 'karvon')
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  async #readMembers(): Promise<Member[]> {
    for (const port of this.#restPorts) {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(2000) })
        return ((await answer.json()) as { members: Member[] }).members
      } catch {
        // This node does not run, or does not know the cluster yet.
      }
    }
    return []
  }

  #findNode(member: Member | undefined): PatroniNode | undefined {
    return this.nodes.find(({ name }) => name === member?.name)
  }

  async #createDatabase(): Promise<void> {
    const { primary } = await this.waitUntilComplete()
    const client = await connect(primary.port)
    await client.query(`create role karvon login password '${password}'`)
    await client.query('create database karvon owner karvon')
    await client.end()
  }
}

interface NodePorts {
  port: number
  rest: number
}

function createNode(
  { folder, account }: Workplace,
  { name, etcdPort, port, rest }: NodePorts & { name: string; etcdPort: number },
): PatroniNode {
  const home = join(folder, name)
  mkdirSync(home)
  changeFolderOwner(home, account)
  cpSync(shippedFile, join(home, 'config.yml'))
  // The account of the test cannot write into the folder of Debian's socket.
  writeFileSync(
    join(home, 'test.yml'),
    JSON.stringify({ postgresql: { parameters: { unix_socket_directories: '' } } }),
  )
  const cluster = join(home, 'data')
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${rest}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${rest}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: cluster,
    PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: password,
  }
  let patroni: ChildProcess | undefined
  return {
    name,
    port,
    start: () => {
      const command = [programs.patroni, home]
      patroni = spawnProgram(account, { command, env, log: join(folder, `${name}.log`) })
    },
    kill: async () => {
      if (patroni !== undefined) await endProcess(patroni)
      const file = join(cluster, 'postmaster.pid')
      if (existsSync(file)) killProcess(Number.parseInt(readFileSync(file, 'utf8'), 10))
      // The other processes of PostgreSQL end by themselves when they notice it.
      while (findServerProcesses(cluster).length > 0) await sleep(20)
    },
  }
}

async function startEtcd({ folder, account }: Workplace): Promise<{ port: number; child: ChildProcess }> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${port}`
  const peerUrl = `http://127.0.0.1:${peerPort}`
  const data = join(folder, 'etcd')
  mkdirSync(data, { mode: 0o700 })
  changeFolderOwner(data, account)
  const env = {
    ETCD_NAME: 'etcd',
    ETCD_ENABLE_V2: 'true',
    ETCD_DATA_DIR: data,
    ETCD_LISTEN_PEER_URLS: peerUrl,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peerUrl,
    ETCD_LISTEN_CLIENT_URLS: url,
    ETCD_ADVERTISE_CLIENT_URLS: url,
    ETCD_INITIAL_CLUSTER: `etcd=${peerUrl}`,
  }
  const child = spawnProgram(account, { command: [programs.etcd], env, log: join(folder, 'etcd.log') })
  const isHealthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'etcd.log'), 'utf8'))
    await sleep(50)
  }
  return { port, child }
}

function spawnProgram(
  account: Account,
  { command, env, log }: { command: string[]; env: Record<string, string>; log: string },
): ChildProcess {
  const [program = '', ...args] = [...account.prefix, ...command]
  const output = openSync(log, 'a')
  return spawn(program, args, {
    ...account.ids,
    cwd: '/',
    env: buildProgramEnvironment(env),
    stdio: ['ignore', output, output],
  })
}

/** kill -9. Resolves when the process has ended. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** A connection of the superuser. */
async function connect(port: number, database = 'postgres'): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, password })
  client.on('error', () => {})
  await client.connect()
  return client
}
