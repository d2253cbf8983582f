import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { SmallDisk } from './disk.mount.ts'
import type { Proxy } from './proxy.ts'

/** What faults are done to. */
export interface Victims {
  cluster: Cluster
  proxy: Proxy
  disk: SmallDisk | null
  /** Ends one of the two processes and starts it again, as a manager of services would. */
  restart(how: 'kill' | 'stop'): Promise<void>
}

export interface Fault {
  name: string
  /** Resolves once what was harmed is back. */
  harm(victims: Victims): Promise<void>
}

const backends = `select pid from pg_stat_activity where usename = 'karvon' and application_name <> 'karvon-pulse'`

/** In turn. */
export const faults: readonly Fault[] = [
  {
    name: 'PostgreSQL is restarted',
    harm: async ({ cluster }) => {
      await cluster.stop()
      await cluster.start()
    },
  },
  { name: 'kill -9 of a process of the product', harm: (victims) => victims.restart('kill') },
  {
    name: 'kill -9 of a backend, so that PostgreSQL starts anew',
    harm: async ({ cluster }) => {
      const [one] = await cluster.command<{ pid: number }>(`${backends} limit 1`)
      if (one !== undefined) process.kill(one.pid, 'SIGKILL')
      await untilUp(cluster)
    },
  },
  {
    name: 'the way to the database is cut',
    harm: async ({ proxy, cluster }) => {
      proxy.lead(null)
      proxy.cut()
      await sleep(1000)
      proxy.lead(cluster.port)
    },
  },
  {
    name: 'the way to the database is silent for 3 s',
    harm: async ({ proxy }) => {
      proxy.silence(true)
      await sleep(3000)
      proxy.silence(false)
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    harm: async ({ cluster }) => {
      await cluster.kill()
      await cluster.start()
    },
  },
  {
    name: 'the disk for files is full for 3 s',
    harm: async ({ disk }) => {
      disk?.fill()
      await sleep(3000)
      disk?.free()
    },
  },
  { name: 'an orderly restart of a process of the product', harm: (victims) => victims.restart('stop') },
  {
    name: 'all connections are ended by an administrator',
    harm: async ({ cluster }) => {
      await cluster.command(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'karvon'`)
    },
  },
]

async function untilUp(cluster: Cluster): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    // It takes connections for a moment longer before it ends them all.
    await sleep(50)
    if (tries < 5) continue
    const up = await cluster.command('select 1').catch(() => null)
    if (up !== null) return
    if (tries > 1000) throw new Error('PostgreSQL did not come back')
  }
}
