// Imports go one way (ARCHITECTURE.md). Domains import each other only along the edges that a file declares.

const configs = /^[^/]+\/[^/]+\.config\.ts$/
const isTest = (file) => /\.test\.tsx?$/.test(file) || !/^[^/]+\/src\//.test(file) || configs.test(file)

/** Layers from the bottom up: a file imports from its own layer or from a lower one. */
const layers = {
  contract: ['lib', 'domain', 'registry'],
  server: ['config', 'platform', 'integrations', 'resources', 'domain', 'app', 'main'],
  web: ['lib', 'components', 'resources', 'domain', 'app', 'main'],
}

/** Where the edges between a package's domains are declared. */
export const edgeFiles = {
  server: 'server/src/domains/domains.json',
  web: 'web/src/features/features.json',
}

const domainFolder = { server: 'domains', web: 'features' }
const mainFiles = { server: ['main', 'cli'], web: ['main'] }

/** `{pkg, layer, folder}` of a file such as `server/src/domains/offers/offers.routes.ts`; `test` where it is one. */
export function placeOf(file) {
  const [pkg, , first, ...rest] = file.split('/')
  if (isTest(file) || ['e2e', 'bench', 'stress'].includes(pkg)) return { pkg, test: true }
  if (!layers[pkg]) return { pkg, layer: 'testkit' }
  const atRoot = rest.length === 0
  const stem = atRoot ? first.split('.')[0] : first
  if (pkg === 'contract')
    return { pkg, layer: atRoot ? 'registry' : stem === 'lib' ? 'lib' : 'domain', folder: stem }
  if (atRoot && mainFiles[pkg].includes(stem)) return { pkg, layer: 'main', folder: stem }
  if (atRoot && stem === 'config') return { pkg, layer: 'config', folder: stem }
  if (stem === domainFolder[pkg]) return { pkg, layer: 'domain', folder: rest[0] }
  if (!atRoot && layers[pkg].includes(stem)) return { pkg, layer: stem, folder: stem }
  return { pkg, layer: 'app', folder: 'app' }
}

const namesToAvoid = /(^|\/)(utils?|misc|common|helpers?|types|index)(\.[^/]*)?(\/|$)/

/** What is wrong with a module's own name, or null. */
export function nameProblem(file) {
  if (!namesToAvoid.test(file)) return null
  return 'this name says nothing. Name the file for its domain and role (offers.routes.ts), or put the code where it is used'
}

/** In these folders SQL is in *.queries.ts only. In the others, a statement is the mechanism of its file. */
const foldersWithQueries = /^server\/src\/(?:domains|app|integrations)\//

/** What is wrong with SQL in a file, or null. */
export function statementProblem(file) {
  if (!foldersWithQueries.test(file) || file.endsWith('.queries.ts') || isTest(file)) return null
  return 'SQL is in *.queries.ts only. Move the statement into a function of such a file that takes db first, and call it here'
}

/**
 * What is wrong with one import from one file, with its remedy; null when it is allowed. `edges`: by package, the
 * domains that each domain may import.
 */
export function importProblem(from, { to, specifier, external, missing }, edges = {}) {
  const here = placeOf(from)
  if (here.test) return missing ? `'${specifier}' leads nowhere. Correct the path` : null
  if (to === null)
    return 'this import is decided only when it runs, so nobody can check it. Write the file names out'
  if (missing) return `'${specifier}' leads nowhere. Correct the path`
  if (external) return externalProblem(here, specifier)
  const there = placeOf(to)
  if (there.test)
    return `the product must not import ${to}, which is there for tests. Move what both need into the product`
  return there.pkg === here.pkg ? sidewaysProblem(here, there, to, edges) : acrossProblem(here, there)
}

function externalProblem(here, specifier) {
  if (here.pkg !== 'contract' || specifier === 'typebox' || specifier.startsWith('typebox/')) return null
  return `the contract imports typebox alone, so that server and web can both read it. Move what needs '${specifier}' to one of them`
}

function acrossProblem(here, there) {
  if (there.pkg === 'testkit')
    return 'the product never imports a fake. Call the outside system through its client, and give the test the fake’s address'
  if (here.pkg === 'testkit')
    return 'a fake knows the outside protocol, not this product. Write the protocol’s shapes out in the fake'
  if (here.pkg === 'contract')
    return `the contract imports neither server nor web. Declare the shape in contract/src and let ${there.pkg} import it`
  if (there.pkg !== 'contract')
    return 'server and web never import each other. Declare what both need in contract/src'
  if (here.layer === 'components' && there.layer !== 'lib')
    return 'a widget knows no resource. Take what it needs as props, and name the resource in its page'
  return null
}

function sidewaysProblem(here, there, to, edges) {
  const order = layers[here.pkg]
  if (!order) return null
  const climb = order.indexOf(there.layer) - order.indexOf(here.layer)
  if (climb > 0)
    return `${here.layer} is below ${there.layer}, and imports go down only. Move what you need from ${to} down, or take it as a parameter and pass it from above`
  if (climb < 0 || here.layer !== 'domain' || here.folder === there.folder) return null
  if (edges[here.pkg]?.[here.folder]?.includes(there.folder)) return null
  if (here.pkg === 'contract')
    return `${here.folder} and ${there.folder} are two domains. Bring shared shapes down to lib, or compose the two in registry.ts`
  return `the domain ${here.folder} may not import ${there.folder}. Declare the edge in ${edgeFiles[here.pkg]} if it forms no circle, or bring shared code down`
}

/** What is wrong with declared edges: a circle, or a folder that does not exist. One sentence each. */
export function edgeProblems(edges, folders) {
  const unknown = Object.entries(edges)
    .flatMap(([from, targets]) => [from, ...targets])
    .filter((name) => !folders.includes(name))
  const problems = [...new Set(unknown)].map((name) => `there is no domain ${name}. Remove it`)
  const state = new Map()
  const visit = (name, path) => {
    if (state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      problems.push(
        `the edges form a circle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}. Bring what both need down`,
      )
      return
    }
    state.set(name, 'open')
    for (const next of edges[name] ?? []) visit(next, [...path, name])
    state.set(name, 'done')
  }
  for (const name of Object.keys(edges)) visit(name, [])
  return problems
}
