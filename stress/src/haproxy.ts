import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { adaptHaproxyConfiguration } from '@karvon/testkit/haproxy.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'

/** Why HAProxy cannot run on this machine; undefined if it can. */
export const missingHaproxy =
  spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'HAProxy is not installed: apt-get install haproxy'

/** The addresses of HAProxy: `http` forwards requests, as the shipped configuration does, `tcp` forwards connections. */
export interface Balancers {
  http: string
  tcp: string
  /** Waits until HAProxy sends requests to all webs. */
  waitForAllWebs(): Promise<void>
}

/** Starts HAProxy with the shipped configuration in front of webs on these ports of 127.0.0.1. `cleanup` ends it. */
export async function startHaproxy(
  folder: string,
  webPorts: readonly number[],
  cleanup: AsyncDisposableStack,
): Promise<Balancers> {
  const ports = { http: await findFreePort(), tcp: await findFreePort() }
  const file = path.join(folder, 'haproxy.cfg')
  const socket = path.join(folder, 'haproxy.sock')
  writeFileSync(file, adaptConfiguration(webPorts, { ports, socket }))
  const child = spawn('haproxy', ['-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  cleanup.defer(() => void child.kill('SIGKILL'))
  const addresses = { http: `http://127.0.0.1:${ports.http}`, tcp: `http://127.0.0.1:${ports.tcp}` }
  for (const url of Object.values(addresses))
    while (!(await isReady(url))) {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}:\n${output}`)
      await sleep(50)
    }
  const waitForAllWebs = async () => {
    while (!(await areAllUp(socket))) await sleep(50)
  }
  return { ...addresses, waitForAllWebs }
}

/** Whether all servers that HAProxy checks are up. Its columns: https://docs.haproxy.org/2.6/management.html#9.1 */
async function areAllUp(socket: string): Promise<boolean> {
  const connection = connect(socket)
  connection.write('show stat\n')
  const lines = (await text(connection)).split('\n').map((line) => line.split(','))
  const states = lines
    .filter(
      ([backend = '', server = '']) => ['webs', 'connections'].includes(backend) && server.startsWith('web-'),
    )
    .map((columns) => columns[17])
  return states.length > 0 && states.every((state) => state === 'UP')
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Replaces the account, the log, the certificate and the addresses, and adds a balancer of connections. */
function adaptConfiguration(
  webPorts: readonly number[],
  { ports, socket }: { ports: { http: number; tcp: number }; socket: string },
): string {
  const replacements: readonly [string | RegExp, string][] = [
    [/ {2}(?:log \/dev\/log|user|group) .*\n/g, ''],
    ['  log global\n', ''],
    ['  maxconn 5000\n', `  maxconn 5000\n  stats socket ${socket}\n`],
    ['  option httplog\n', ''],
    ['  bind :80\n', `  bind 127.0.0.1:${ports.http}\n`],
    [/ {2}bind :443 .*\n/g, ''],
    [/ {2}http-request redirect .*\n/g, ''],
    [
      / {2}server web-1 .*\n {2}server web-2 .*\n/g,
      webPorts.map((port, index) => `  server web-${index + 1} 127.0.0.1:${port}\n`).join(''),
    ],
  ]
  const configuration = adaptHaproxyConfiguration(replacements)
  const [, checks = ''] = /^(backend webs\n[^]*?)\n\n/m.exec(configuration) ?? []
  const tcpBackend = checks.replace('backend webs\n', 'backend connections\n  mode tcp\n')
  return `${configuration}
frontend tcp
  mode tcp
  bind 127.0.0.1:${ports.tcp}
  default_backend connections

${tcpBackend}
`
}
