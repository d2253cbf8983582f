// Builds the web when its sources have changed. `npm run build` always builds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compressFolder } from './compress.mjs'
import { ensureInstalled, root } from './install.mjs'

const web = join(root, 'web')
// Vite empties the folder first, so a build that was cut short leaves no stamp.
const stamp = join(web, 'dist', '.sources')

const apiHost = process.env.VITE_API_HOST ?? ''

/** Builds the web unless what stands in web/dist was made from the sources as they are now. False if that fails. */
export function ensureBuilt(node) {
  const sources = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  return build(node, sources)
}

function build(node, sources) {
  if (apiHost !== '' && !/^https?:\/\/[^/]/.test(apiHost)) {
    console.error('VITE_API_HOST is not an address: write it like https://api.example.uz.')
    return false
  }
  console.log('Building the web ...')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    encoding: 'utf8',
    // Whoever starts the product for development or a test: what people get is one and the same.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  if (result.status === 0) {
    compressFolder(join(web, 'dist'))
    // Whom the pages may call: the server says so in their content security policy.
    writeFileSync(join(web, 'dist', '.api-host'), apiHost)
    writeFileSync(stamp, sources)
    return true
  }
  const reason = result.error === undefined ? '' : ` (${result.error.message})`
  console.error(`The web could not be built${reason}: mend what is said above and run the command again.`)
  return false
}

/** Hash of everything that goes into the build: sources, settings, versions, and the API host. */
function fingerprint() {
  const hash = createHash('sha256').update(apiHost)
  const skipped = new Set(['node_modules', 'dist', 'test-results'])
  const inWeb = readdirSync(web).filter((name) => !skipped.has(name))
  const places = [
    ...inWeb.map((name) => join(web, name)),
    join(root, 'contract', 'src'),
    join(root, 'package-lock.json'),
  ]
  for (const file of places.flatMap(filesBelow).toSorted()) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesBelow(join(path, entry.name)))
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
}

const started = process.argv[1]
if (started !== undefined && import.meta.url === pathToFileURL(realpathSync(started)).href) {
  process.exit(build(ensureInstalled(), fingerprint()) ? 0 : 1)
}
