// Builds the web when its sources have changed. `npm run build` always builds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFolder } from './compress.mjs'
import { projectFiles } from './files.mjs'
import { ensureInstalled, isStarted, root } from './install.mjs'

const web = join(root, 'web')
// Vite empties the folder first, so an interrupted build leaves no stamp.
const stamp = join(web, 'dist', '.sources')

const apiHost = process.env.VITE_API_HOST ?? ''

/** Builds the web unless web/dist was built from the current sources. Returns false if the build fails. */
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
    // Development and tests use the same build as production.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  if (result.status === 0) {
    compressFolder(join(web, 'dist'))
    // The server reads this file for the content security policy of the pages.
    writeFileSync(join(web, 'dist', '.api-host'), apiHost)
    writeFileSync(stamp, sources)
    return true
  }
  const reason = result.error === undefined ? '' : ` (${result.error.message})`
  console.error(`The web could not be built${reason}: correct the errors above and run the command again.`)
  return false
}

/** The hash of all inputs of the build: sources, settings, versions, and the API host. */
function fingerprint() {
  const hash = createHash('sha256').update(apiHost)
  const files = [...projectFiles(root, 'web'), ...projectFiles(root, 'contract/src'), 'package-lock.json']
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

if (isStarted(import.meta)) {
  process.exit(build(ensureInstalled(), fingerprint()) ? 0 : 1)
}
