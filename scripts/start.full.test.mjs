import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NodeProcess } from '../testkit/src/node-process.ts'
import { afterEach, expect, test } from 'vitest'
import { root } from './install.mjs'

const folder = mkdtempSync(join(tmpdir(), 'karvon-start-'))
const password = 'a-password-of-the-test'
const startedPids = new Set()

afterEach(async () => {
  for (const pid of [...startedPids].filter(isAlive)) process.kill(pid, 'SIGTERM')
  while ([...startedPids].some(isAlive)) await sleep(100)
  rmSync(folder, { recursive: true, force: true })
})

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The launcher's children: `[{pid, command}]`. Read from /proc, because `ps` may be missing. */
function childrenOf(parent) {
  const processes = process.platform === 'linux' ? ofLinux() : ofPs()
  return processes.filter((entry) => entry.parent === parent)
}

function ofLinux() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in brackets may hold spaces; see proc_pid_stat(5).
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        return []
      }
    })
}

function ofPs() {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^ *(\d+) +(\d+) +(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
    })
}

/** Starts the product as `npm start` does, in a new folder. */
async function start() {
  const { KARVON_DEMO: _, DATABASE_URL: __, ...env } = process.env
  const launcher = new NodeProcess(join(root, 'scripts', 'start.mjs'), {
    env: {
      ...env,
      PORT: '0',
      HOST: '127.0.0.1',
      KARVON_DATA: join(folder, 'data'),
      KARVON_ADMIN_PASSWORD: password,
    },
    stderr: 'inherit',
  })
  startedPids.add(launcher.pid)
  await launcher.waitFor(/Ctrl-C stops it\./)
  const children = childrenOf(launcher.pid)
  for (const { pid } of children) startedPids.add(pid)
  return { launcher, children, url: launcher.url }
}

test('npm start brings a demo whose leads arrive and change', { timeout: 400_000 }, async () => {
  const { launcher, children, url } = await start()
  const body = new URLSearchParams({ username: 'admin', password })
  const signedIn = await (await fetch(`${url}/parcel/auth/login`, { method: 'POST', body })).json()
  const get = async (path) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${signedIn.access_token}` },
    })
    expect(answer.status).toBe(200)
    return (await answer.json()).items
  }
  const runs = () => get('/api/admin/sync-runs/?per_page=200')
  await expect
    .poll(async () => (await runs()).filter(({ status }) => status === 'done').length)
    .toBeGreaterThanOrEqual(3)
  expect((await runs()).filter(({ status }) => !['done', 'running'].includes(status))).toEqual([])
  const states = async () =>
    new Map(
      (await get('/api/admin/leads/?per_page=200')).map(({ external_id, source_status }) => [
        external_id,
        source_status,
      ]),
    )
  const before = await states()
  const findMoved = async () =>
    [...(await states())].filter(([id, status]) => before.has(id) && before.get(id) !== status)
  await expect
    .poll(async () => (await findMoved()).length, { timeout: 180_000, interval: 1000 })
    .toBeGreaterThan(0)
  const parcels = await get('/api/admin/sync-runs/?per_page=200')
  expect(
    parcels.some(({ courier_account_id, counts }) => courier_account_id !== null && counts.created > 0),
  ).toBe(true)

  // The networks end with the launcher, however it ends.
  const networks = children.find(({ command }) => command.includes('testkit'))
  await launcher.kill()
  await expect.poll(() => isAlive(networks.pid)).toBe(false)
})
