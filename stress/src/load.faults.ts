import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../server/test/cluster.ts'
import type { SmallDisk } from './disk.mount.ts'
import type { Proxy } from './proxy.ts'

/** The parts of the system that a fault can hit. */
export interface FaultTargets {
  cluster: Cluster
  proxy: Proxy
  disk: SmallDisk | null
  /** Ends one of the two processes and starts it again, as a service manager does. */
  restart(how: 'kill' | 'stop'): Promise<void>
}

export interface Fault {
  name: string
  /** Resolves when the fault is over. */
  inject(targets: FaultTargets): Promise<void>
}

const backends = `select pid from pg_stat_activity where usename = 'karvon' and application_name <> 'karvon-pool-monitor'`

/** Injected one after the other. */
export const injectedFaults: readonly Fault[] = [
  {
    name: 'restart of PostgreSQL',
    inject: async ({ cluster }) => {
      await cluster.stop()
      await cluster.start()
    },
  },
  { name: 'kill -9 of a process of the product', inject: (targets) => targets.restart('kill') },
  {
    name: 'kill -9 of a backend, which restarts PostgreSQL',
    inject: async ({ cluster }) => {
      const [backend] = await cluster.execute<{ pid: number }>(`${backends} limit 1`)
      if (backend !== undefined) process.kill(backend.pid, 'SIGKILL')
      await waitUntilReady(cluster)
    },
  },
  {
    name: 'connections to the database refused for 1 s',
    inject: async ({ proxy, cluster }) => {
      proxy.route(null)
      proxy.closeConnections()
      await sleep(1000)
      proxy.route(cluster.port)
    },
  },
  {
    name: 'no traffic to the database for 3 s',
    inject: async ({ proxy }) => {
      proxy.setSilent(true)
      await sleep(3000)
      proxy.setSilent(false)
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    inject: async ({ cluster }) => {
      await cluster.kill()
      await cluster.start()
    },
  },
  {
    name: 'full disk for files for 3 s',
    inject: async ({ disk }) => {
      disk?.fill()
      await sleep(3000)
      disk?.free()
    },
  },
  { name: 'graceful restart of a process of the product', inject: (targets) => targets.restart('stop') },
  {
    name: 'all database connections terminated',
    inject: async ({ cluster }) => {
      await cluster.execute(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'karvon'`)
    },
  },
]

async function waitUntilReady(cluster: Cluster): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    // PostgreSQL accepts connections for a moment before it ends all of them.
    await sleep(50)
    if (attempt < 5) continue
    const result = await cluster.execute('select 1').catch(() => null)
    if (result !== null) return
    if (attempt > 1000) throw new Error('PostgreSQL did not restart')
  }
}
