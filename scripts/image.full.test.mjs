// Builds the image of the Dockerfile and starts it as compose.yaml does.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildClusterUrl, createCluster } from '../server/test/cluster.ts'
import { createTemporaryFolder } from '../server/test/folder.ts'
import { findFreePort } from '../testkit/src/free-port.ts'
import { buildImage, missingImageTools, podman, readLog, removeImage, startContainer } from './image.mjs'
import { root } from './install.mjs'

const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true })
const password = 'a-password-of-the-test'
const pdf = '%PDF-1.7\n%%EOF\n'

/** Starts a service of compose.yaml and waits until it is ready. Returns its address. */
async function start(name, env) {
  const port = await findFreePort()
  const own = { KARVON_PROCESS: name, HOST: '127.0.0.1', PORT: String(port) }
  await startContainer(name, { service: services[name], env: { ...env, ...own } })
  const url = `http://127.0.0.1:${port}`
  const readStatus = async () => {
    const state = await podman('inspect', '--format={{.State.Status}}', name)
    if (state !== 'running') return `${state}: ${await readLog(name)}`
    return fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 'no answer',
    )
  }
  await expect.poll(readStatus, { timeout: 120_000 }).toBe(200)
  return url
}

/** Stops a container as compose does, and returns its exit code: 137 if it had to be killed. */
async function stop(name) {
  const seconds = Number.parseInt(services[name].stop_grace_period, 10)
  await podman('stop', `--time=${seconds}`, name)
  return Number(await podman('inspect', '--format={{.State.ExitCode}}', name))
}

async function signIn(url) {
  const body = new URLSearchParams({ username: 'admin', password })
  const answer = await fetch(`${url}/parcel/auth/login`, { method: 'POST', body })
  const { access_token: token } = await answer.json()
  return { authorization: `Bearer ${token}` }
}

async function upload(url, headers) {
  const body = new FormData()
  body.append('file', new Blob([pdf]), 'document.pdf')
  const answer = await fetch(`${url}/api/parcel/files/upload/`, { method: 'POST', headers, body })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return JSON.parse(text).id
}

test('the image starts as an ordinary user on a read-only root, serves people and ends in order', async ({
  skip,
}) => {
  skip(missingImageTools !== undefined, missingImageTools)
  await buildImage()
  const folder = createTemporaryFolder()
  const cluster = await createCluster(join(folder, 'database'))
  try {
    await cluster.start()
    const env = {
      DATABASE_URL: buildClusterUrl(cluster.port),
      KARVON_SECRET_KEY: Buffer.alloc(32).toString('base64'),
      KARVON_ADMIN_PASSWORD: password,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    }
    const web = await start('web', env)
    await start('worker', env)

    const headers = await signIn(web)
    const leads = await fetch(`${web}/api/admin/leads/`, { headers })
    expect([leads.status, (await leads.json()).items]).toEqual([200, []])
    const page = await fetch(web)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script type="module"')])
    const id = await upload(web, headers)
    const file = await fetch(`${web}/api/admin/uploads/${id}/file`, { headers })
    expect(await file.text()).toBe(pdf)

    for (const name of ['web', 'worker']) {
      await podman('healthcheck', 'run', name)
      expect(await podman('exec', name, 'id', '--user')).toBe('1000')
      await expect(podman('exec', name, 'touch', '/karvon/file')).rejects.toThrow('Read-only file system')
      // The modules are not compiled again.
      expect(await readLog(name)).toMatch(/server\/src\/main\.ts was accepted/)
    }
    expect([await stop('web'), await stop('worker')]).toEqual([0, 0])
  } finally {
    await removeImage()
    await cluster.kill()
    rmSync(folder, { recursive: true })
  }
}, 1_800_000)
