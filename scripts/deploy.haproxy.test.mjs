// Runs HAProxy with its configuration in front of two small servers. Needs haproxy and openssl.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectorTestTimeout } from '../server/src/platform/limits/limits.ts'
import { findFreePort } from '../testkit/src/free-port.ts'
import { adaptHaproxyConfiguration } from '../testkit/src/haproxy.ts'

const isInstalled = ['haproxy -v', 'openssl version'].every(
  (command) => spawnSync(command, { shell: true }).status === 0,
)

/** Writes the shipped configuration with other values to a folder, and returns its path. */
function writeConfiguration(replacements = []) {
  const folder = mkdtempSync(join(tmpdir(), 'karvon-haproxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const certificate = join(folder, 'karvon.pem')
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
  expect(spawnSync('openssl', [...request, '-keyout', certificate, '-out', certificate]).status).toBe(0)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, adaptHaproxyConfiguration([['/etc/haproxy/karvon.pem', certificate], ...replacements]))
  return file
}

/** A server that is ready and has the file of one version. It counts requests by path. */
async function startWeb(version) {
  const counts = {}
  const server = createServer(({ url }, reply) => {
    counts[url] = (counts[url] ?? 0) + 1
    reply.writeHead(url === '/readyz' || url === `/assets/${version}.js` ? 200 : 404).end(version)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close())
  return { counts, address: `127.0.0.1:${server.address().port}` }
}

test('HAProxy waits for the answer of a test run of a slow network', () => {
  const [, seconds] = /^ *timeout server (\d+)s$/m.exec(adaptHaproxyConfiguration([])) ?? []
  expect(connectorTestTimeout).toBeLessThan(seconds * 1000)
})

test.skipIf(!isInstalled)('HAProxy accepts its configuration', () => {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', writeConfiguration()], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.skipIf(!isInstalled)(
  'HAProxy asks the next web for a file that one has not, and repeats no other request',
  async () => {
    const [earlier, later] = [await startWeb('earlier'), await startWeb('later')]
    const [port, tlsPort] = [await findFreePort(), await findFreePort()]
    const configuration = writeConfiguration([
      ['10.0.0.21:8080', earlier.address],
      ['10.0.0.22:8080', later.address],
      ['bind :80\n', `bind 127.0.0.1:${port}\n`],
      ['bind :443 ', `bind 127.0.0.1:${tlsPort} `],
      ['  user haproxy\n  group haproxy\n', ''],
    ])
    const haproxy = spawn('haproxy', ['-q', '-db', '-f', configuration])
    onTestFinished(async () => {
      haproxy.kill()
      await once(haproxy, 'exit')
    })
    const send = async (path) => {
      const [answer] = await once(
        https.get({ host: '127.0.0.1', port: tlsPort, path, rejectUnauthorized: false, agent: false }),
        'response',
      )
      answer.resume()
      return answer.statusCode
    }
    await vi.waitFor(async () => expect(await send('/readyz')).toBe(200), { timeout: 20_000 })

    // The webs take turns, so each is asked for each file.
    for (const path of ['/assets/earlier.js', '/assets/later.js'])
      for (let i = 0; i < 4; i++) expect(await send(path)).toBe(200)
    expect(await send('/assets/unknown.js')).toBe(404)
    expect(await send('/api/unknown')).toBe(404)
    expect((earlier.counts['/api/unknown'] ?? 0) + (later.counts['/api/unknown'] ?? 0)).toBe(1)
  },
)
