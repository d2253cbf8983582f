// Builds the image of the Dockerfile and starts it with podman, for a test. debootstrap and npm make what its FROM lines
// name, so no registry of images is needed. The images are in .cache/image.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder } from '../server/test/folder.ts'
import { npmCommand, root } from './install.mjs'

const store = join(root, '.cache', 'image')
const image = 'localhost/karvon'

/** Why the image cannot be built on this machine; undefined if it can. */
export const missingImageTools = findMissing()

function findMissing() {
  if (process.getuid?.() !== 0) return 'Only root can build the image'
  const missing = ['podman', 'runc', 'debootstrap'].filter(
    (program) => spawnSync(program, ['--version']).error,
  )
  return missing.length > 0
    ? `${missing.join(', ')} not installed: apt-get install podman runc debootstrap`
    : undefined
}

const execute = promisify(execFile)
const maxBuffer = 64 * 1024 * 1024
const run = async (program, args) => (await execute(program, args, { cwd: root, maxBuffer })).stdout.trim()

// runc, because crun refuses machines with both versions of cgroups.
const storeOptions = ['--root', join(store, 'images'), '--runroot', join(store, 'run'), '--runtime', 'runc']

/** Runs a command of podman and returns its standard output. Throws its errors if it fails. */
export const podman = (...args) => run('podman', [...storeOptions, ...args])

/** Builds the image. It takes some minutes. */
export async function buildImage() {
  mkdirSync(store, { recursive: true })
  const folder = createTemporaryFolder()
  try {
    if (!(await hasImage('debian:bookworm-slim')) || !(await hasImage('node:24-bookworm-slim')))
      await createBases(folder)
    const options = ['--isolation=chroot', '--pull=never', '--layers=false', '--force-rm', '--format=docker']
    const volumes = (await writeNpmSettings(folder)).map((volume) => `--volume=${volume}:ro`)
    await podman('build', ...options, ...volumes, `--tag=${image}`, root)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hasImage = async (name) => (await podman('images', '--quiet', `localhost/${name}`)) !== ''

/** Debian as debootstrap installs it, and the same with Node and npm from their packages. */
async function createBases(folder) {
  const tree = join(folder, 'debian')
  await run('debootstrap', ['--variant=minbase', 'bookworm', tree])
  await importImage(tree, 'debian:bookworm-slim')
  const [npm, ...script] = npmCommand()
  const packages = [`node-linux-${process.arch}@24`, 'npm@11']
  await run(npm, [...script, 'install', '--global', '--prefix', join(tree, 'usr', 'local'), ...packages])
  await importImage(tree, 'node:24-bookworm-slim')
}

async function importImage(tree, name) {
  const archive = `${tree}.tar`
  await run('tar', ['--create', '--file', archive, '--exclude=*.deb', '--directory', tree, '.'])
  await podman('import', archive, `localhost/${name}`)
}

/** npm in the build uses the registry and the certificates of this machine. Returns the volumes. */
async function writeNpmSettings(folder) {
  const [npm, ...script] = npmCommand()
  const readSetting = (name) => run(npm, [...script, 'config', 'get', name])
  const cafile = await readSetting('cafile')
  const certificates = cafile === 'null' ? process.env.NODE_EXTRA_CA_CERTS : cafile
  const lines = [
    `registry=${await readSetting('registry')}`,
    ...(certificates === undefined ? [] : [`cafile=${certificates}`]),
  ]
  const file = join(folder, 'npmrc')
  writeFileSync(file, lines.join('\n'))
  return [`${file}:/root/.npmrc`, ...(certificates === undefined ? [] : [`${certificates}:${certificates}`])]
}

/**
 * Starts a container with the rights of a service of compose.yaml, in the network of this machine. The limits are below
 * those of the machine, because podman's own need more rights. The health check runs by `podman healthcheck run` alone.
 */
export async function startContainer(name, { service, env }) {
  const rights = [
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...[service.tmpfs].flat().map((path) => `--tmpfs=${path}`),
    ...service.cap_drop.map((capability) => `--cap-drop=${capability}`),
    ...service.security_opt.map((option) => `--security-opt=${option}`),
    ...service.volumes.map((volume) => `--volume=${volume}`),
  ]
  const variables = Object.entries(env).map(([key, value]) => `--env=${key}=${value}`)
  const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']
  const options = [
    '--detach',
    '--replace',
    '--network=host',
    '--log-driver=k8s-file',
    '--health-interval=disable',
  ]
  await podman('run', `--name=${name}`, ...options, ...limits, ...rights, ...variables, image)
}

/** What the processes of a container have written, with their errors. */
export async function readLog(name) {
  const { stdout, stderr } = await execute('podman', [...storeOptions, 'logs', name], { maxBuffer })
  return `${stdout}${stderr}`
}

/** Removes all containers and volumes, and the image. What the FROM lines name stays for the next build. */
export async function removeImage() {
  await podman('rm', '--all', '--force', '--time=0')
  await podman('volume', 'prune', '--force')
  await podman('rmi', '--ignore', '--force', image)
}
