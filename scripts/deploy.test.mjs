// Compares the deployment files with the product: paths, settings, probes and shapes. No container engine is
// needed: image.full.test.mjs builds and starts the image.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../server/src/config.ts'
import { root } from './install.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const workspaces = JSON.parse(read('package.json')).workspaces
const environment = {
  KARVON_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  KARVON_ADMIN_PASSWORD: 'a long password',
  KARVON_DATABASE_PASSWORD: '0123456789abcdef',
}

/** Substitutes variables as compose does: `${NAME:?why}` and `${NAME:-otherwise}`. */
const fillText = (text) =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, word) => {
    if (environment[name] !== undefined) return environment[name]
    if (kind === '-') return word
    throw new Error(`${name} is not given`)
  })

test('the Dockerfile copies existing files of every workspace', () => {
  const lines = read('Dockerfile').split('\n')
  const copiedPaths = lines.flatMap((line) => {
    const [, words] = /^COPY (?!--from)(.+)$/.exec(line) ?? []
    return words?.split(' ').slice(0, -1) ?? []
  })
  expect(copiedPaths.filter((file) => !existsSync(join(root, file)))).toEqual([])
  // npm ci refuses a lockfile if a workspace is missing.
  expect(workspaces.filter((name) => !copiedPaths.includes(`${name}/package.json`))).toEqual([])
  const [, command] = /^CMD (\[.+\])$/m.exec(read('Dockerfile')) ?? []
  const program = 'server/src/main.ts'
  expect(JSON.parse(command)).toEqual([
    'node_modules/.bin/node',
    ...JSON.parse(read('server/node-flags.json')),
    program,
  ])
  expect(existsSync(join(root, program))).toBe(true)
  expect(read('Dockerfile')).toMatch(/^USER karvon$/m)
  // The compile cache is valid for the flags that wrote it.
  expect(read('Dockerfile')).toContain(`RUN ${JSON.parse(command).join(' ')} 2>&1`)
})

test('compose uses settings of the product and requires the needed ones', () => {
  const { services } = parse(read('compose.yaml'), { merge: true })
  const expectedSettings = Object.fromEntries(
    read('deploy/karvon.env')
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => line.split('=')),
  )
  expect(Object.keys(expectedSettings).toSorted()).toEqual(Object.keys(environment).toSorted())
  for (const part of ['web', 'worker']) {
    const { environment, read_only: readOnly } = services[part]
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, fillText(value)]),
    )
    const config = readConfig({ ...env, KARVON_DATA: '/data' })
    expect([config.process, config.databaseUrl, config.demo, readOnly]).toEqual([
      part,
      'postgres://karvon:0123456789abcdef@database/karvon',
      false,
      true,
    ])
  }
  expect(Object.keys(services).toSorted()).toEqual(['database', 'web', 'worker'])
})

test('the job of the migrations runs the command of the image, and the other processes wait for it', () => {
  const { spec } = parse(read('deploy/kubernetes/migrate.yaml'))
  const [{ command, env, envFrom }] = spec.template.spec.containers
  const [, start] = /^CMD (\[.+\])$/m.exec(read('Dockerfile')) ?? []
  expect(command).toEqual([JSON.parse(start)[0], 'server/src/cli.ts', 'migrate'])
  expect(existsSync(join(root, command[1]))).toBe(true)
  expect(read(command[1])).toMatch(/^ {2}migrate: \{$/m)
  expect([env, spec.activeDeadlineSeconds]).toEqual([undefined, undefined])
  const { data } = parse(read('deploy/kubernetes/settings.yaml'))
  const secrets = { ...environment, DATABASE_URL: 'postgres://karvon:secret@database/karvon' }
  expect(readConfig({ ...data, ...secrets }).migrations).toBe('wait')
  const [web] = parseAllDocuments(read('deploy/kubernetes/web.yaml')).map((document) => document.toJS())
  expect(envFrom).toEqual(web.spec.template.spec.containers[0].envFrom)
})

const manifests = readdirSync(join(root, 'deploy/kubernetes')).filter((file) => file !== 'kustomization.yaml')

test('kustomization lists every manifest, and no other', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'))
  expect(resources.toSorted()).toEqual(manifests.toSorted())
})

test('the manifests use settings and probes of the product, with few rights', () => {
  const documents = manifests.flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
  )
  const { data } = documents.find(({ kind }) => kind === 'ConfigMap')
  const deployments = documents.filter(({ kind }) => kind === 'Deployment')
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['karvon-web', 'karvon-worker'])
  const secrets = { ...environment, DATABASE_URL: 'postgres://karvon:secret@database/karvon' }
  for (const { metadata, spec } of deployments) {
    const { template, selector } = spec
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    const [container] = template.spec.containers
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
    expect(`karvon-${readConfig({ ...data, ...secrets, ...env }).process}`).toBe(metadata.name)
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (probe) => container[probe].httpGet.path,
    )
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(template.spec.securityContext.runAsNonRoot).toBe(true)
    const volumes = template.spec.volumes.map(({ name }) => name)
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes)
  }
})

test('the command for operators has the account, the folders and the settings of the unit of systemd', () => {
  const unit = read('deploy/systemd/karvon@.service')
  const readUnit = (name) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1]
  const command = read('deploy/systemd/karvon')
  const folder = readUnit('WorkingDirectory')
  for (const option of [
    `--uid=${readUnit('User')}`,
    `--working-directory=${folder}`,
    `--setenv=${/KARVON_DATA=\S+/.exec(unit)?.[0]}`,
    `--property=EnvironmentFile=${readUnit('EnvironmentFile')}`,
    `${folder}/node_modules/.bin/node server/src/cli.ts "$@"`,
  ])
    expect(command).toContain(option)
})

test('the unit of systemd starts the program of the image with its flags, and settings of the product', () => {
  const unit = read('deploy/systemd/karvon@.service')
  const [, start] = /^CMD (\[.+\])$/m.exec(read('Dockerfile')) ?? []
  const [, command] = /^ExecStart=\/opt\/karvon\/(.+)$/m.exec(unit) ?? []
  expect(command.split(' ')).toEqual(JSON.parse(start))
  const [, settings] = /^Environment=(.+)$/m.exec(unit) ?? []
  const unitSettings = settings.split(' ').map((setting) => setting.split('='))
  const fileSettings = read('deploy/systemd/karvon.env')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('='))
  const source = readdirSync(join(root, 'server/src'))
    .filter((file) => /^config.*(?<!\.test)\.ts$/.test(file))
    .map((file) => read(`server/src/${file}`))
    .join('\n')
  const names = [...unitSettings, ...fileSettings].map(([name]) => name)
  const otherNames = ['NODE_ENV', 'NODE_COMPILE_CACHE']
  expect(names.filter((name) => !otherNames.includes(name) && !source.includes(`'${name}'`))).toEqual([])
  for (const part of ['web', 'worker']) {
    const env = Object.fromEntries(
      [...unitSettings, ...fileSettings].map(([name, value]) => [name, value.replaceAll('%i', part)]),
    )
    const config = readConfig({ ...env, ...environment, DATABASE_URL: 'postgres://karvon:secret@db/karvon' })
    expect([config.process, config.host, config.dataFolder]).toEqual([part, '0.0.0.0', '/var/lib/karvon'])
  }
})
