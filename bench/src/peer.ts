import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..', '..')
const sources = path.join(root, 'bench', 'peers', 'react-admin')
const built = path.join(root, '.cache', 'react-admin-peer')
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** The react-admin page, served. */
export interface Peer {
  url: string
  version: string
  close(): Promise<void>
}

/** Installs react-admin on first use, builds the page and serves it with `rows` as its data, gzipped as the product is. */
export async function startPeer(rows: readonly unknown[]): Promise<Peer> {
  build()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer')
    if (pathname.startsWith('/api/')) {
      const [first = 0, last = 9] = JSON.parse(searchParams.get('range') ?? '[]') as number[]
      const range = `rows ${first}-${last}/${rows.length}`
      response.writeHead(200, { 'content-type': 'application/json', 'content-range': range })
      response.end(JSON.stringify(rows.slice(first, last + 1)))
      return
    }
    const file = path.join(built, path.normalize(pathname))
    const asset = pathname.startsWith('/assets/') && existsSync(file)
    const type = asset ? (types[path.extname(file)] ?? 'application/octet-stream') : 'text/html'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
    response.end(gzipSync(readFileSync(asset ? file : path.join(built, 'index.html')), { level: 9 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const manifest = readFileSync(path.join(sources, 'node_modules', 'react-admin', 'package.json'), 'utf8')
  return {
    url: `http://127.0.0.1:${port}`,
    version: (JSON.parse(manifest) as { version: string }).version,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** By the Vite that builds the web. */
function build(): void {
  // npm writes this list last; a lockfile that is younger asks for other versions.
  const list = path.join(sources, 'node_modules', '.package-lock.json')
  const lockfile = path.join(sources, 'package-lock.json')
  if (!existsSync(list) || statSync(lockfile).mtimeMs > statSync(list).mtimeMs) {
    console.log('Installing react-admin for the comparison ...')
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  mkdirSync(built, { recursive: true })
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  run(process.execPath, [vite, 'build', '--outDir', built, '--emptyOutDir', '--logLevel', 'error'])
}

function run(command: string, args: string[]): void {
  const result = spawnSync(command, args, { cwd: sources, encoding: 'utf8' })
  if (result.status === 0) return
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`
  throw new Error(`${command} ${args.join(' ')} failed in bench/peers/react-admin:\n${said}`)
}
