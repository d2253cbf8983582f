import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import path from 'node:path'
import { installPeer, runInPeer } from './peer.install.ts'

const root = path.join(import.meta.dirname, '..', '..')
const buildFolder = path.join(root, '.cache', 'react-admin-peer')
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** A server of the react-admin page. */
export interface Peer {
  url: string
  version: string
  close(): Promise<void>
}

/** Installs react-admin on first use, builds the page, and serves it with the data `rows`, in gzip. */
export async function startPeer(rows: readonly unknown[]): Promise<Peer> {
  const version = installPeer('react-admin', 'react-admin')
  buildPage()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer')
    if (pathname.startsWith('/api/')) {
      const [first = 0, last = 9] = JSON.parse(searchParams.get('range') ?? '[]') as number[]
      const range = `rows ${first}-${last}/${rows.length}`
      response.writeHead(200, { 'content-type': 'application/json', 'content-range': range })
      response.end(JSON.stringify(rows.slice(first, last + 1)))
      return
    }
    const file = path.join(buildFolder, path.normalize(pathname))
    const asset = pathname.startsWith('/assets/') && existsSync(file)
    const type = asset ? (types[path.extname(file)] ?? 'application/octet-stream') : 'text/html'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
    response.end(gzipSync(readFileSync(asset ? file : path.join(buildFolder, 'index.html')), { level: 9 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    version,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Builds with the same Vite as the web. */
function buildPage(): void {
  mkdirSync(buildFolder, { recursive: true })
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = ['build', '--outDir', buildFolder, '--emptyOutDir', '--logLevel', 'error']
  runInPeer('react-admin', process.execPath, [vite, ...args])
}
