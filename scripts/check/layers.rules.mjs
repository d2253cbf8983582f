// Imports go from upper to lower layers (ARCHITECTURE.md). A domain imports another domain only if a file declares the
// edge.

const configs = /^[^/]+\/[^/]+\.config\.ts$/
const isTest = (file) => /\.test\.tsx?$/.test(file) || !/^[^/]+\/src\//.test(file) || configs.test(file)

/** Layers from the bottom up: a file imports from its own layer or from a lower one. */
const layers = {
  contract: ['lib', 'domain', 'registry'],
  server: ['config', 'platform', 'integrations', 'resources', 'domain', 'app', 'main'],
  web: ['lib', 'components', 'resources', 'domain', 'app', 'main'],
}

/** The files that declare the edges between the domains of a package. */
export const edgeFiles = {
  server: 'server/src/domains/domains.json',
  web: 'web/src/features/features.json',
}

const domainFolder = { server: 'domains', web: 'features' }
const mainFiles = { server: ['main', 'cli'], web: ['main'] }

/** `{pkg, layer, folder}` of a file such as `server/src/domains/offers/offers.routes.ts`; `test` is true for a test. */
export function locateModule(file) {
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

/** The problem of a module's name, or null. */
export function nameProblem(file) {
  if (!namesToAvoid.test(file)) return null
  return 'this name does not describe the file. Name the file after its domain and role (offers.routes.ts), or move the code to its user'
}

/** In these folders SQL is in *.queries.ts only. In the others, a statement is the mechanism of its file. */
const foldersWithQueries = /^server\/src\/(?:domains|app|integrations)\//

/** The problem of SQL in a file, or null. */
export function statementProblem(file) {
  if (!foldersWithQueries.test(file) || file.endsWith('.queries.ts') || isTest(file)) return null
  return 'SQL is in *.queries.ts only. Move the statement into a function of such a file that takes db first, and call it here'
}

/**
 * The problem of an import with its remedy; null if the import is allowed. `edges`: the domains that each domain may
 * import, by package.
 */
export function importProblem(from, { to, specifier, external, missing }, edges = {}) {
  const here = locateModule(from)
  if (here.test) return missing ? `'${specifier}' does not exist. Correct the path` : null
  if (to === null)
    return 'the path of this import is computed at run time and cannot be checked. Write the file names out'
  if (missing) return `'${specifier}' does not exist. Correct the path`
  if (external) return externalProblem(here, specifier)
  const there = locateModule(to)
  if (there.test)
    return `the product must not import ${to}, which is for tests. Move shared code into the product`
  return there.pkg === here.pkg ? sidewaysProblem(here, there, to, edges) : acrossProblem(here, there)
}

function externalProblem(here, specifier) {
  if (here.pkg !== 'contract' || specifier === 'typebox' || specifier.startsWith('typebox/')) return null
  return `the contract imports typebox alone, so that server and web can both read it. Move the code that needs '${specifier}' to one of them`
}

function acrossProblem(here, there) {
  if (there.pkg === 'testkit')
    return 'the product never imports a fake. Call the outside system through its client, and give the test the fake’s address'
  if (here.pkg === 'testkit')
    return 'a fake knows the outside protocol, not this product. Declare the types of the protocol in the fake'
  if (here.pkg === 'contract')
    return `the contract imports neither server nor web. Declare the shape in contract/src and let ${there.pkg} import it`
  if (there.pkg !== 'contract')
    return 'server and web never import each other. Declare shared types in contract/src'
  if (here.layer === 'components' && there.layer !== 'lib')
    return 'a widget knows no resource. Pass data as props, and name the resource in its page'
  return null
}

function sidewaysProblem(here, there, to, edges) {
  const order = layers[here.pkg]
  if (!order) return null
  const climb = order.indexOf(there.layer) - order.indexOf(here.layer)
  if (climb > 0)
    return `${here.layer} is below ${there.layer}, and imports go down only. Move the code from ${to} down, or pass it as a parameter`
  if (climb < 0 || here.layer !== 'domain' || here.folder === there.folder) return null
  if (edges[here.pkg]?.[here.folder]?.includes(there.folder)) return null
  if (here.pkg === 'contract')
    return `${here.folder} and ${there.folder} are two domains. Move shared types to lib, or combine the two in registry.ts`
  return `the domain ${here.folder} may not import ${there.folder}. Declare the edge in ${edgeFiles[here.pkg]} if it forms no cycle, or move shared code down`
}

/** The problems of declared edges, one sentence each: a cycle, or a folder that does not exist. */
export function edgeProblems(edges, folders) {
  const unknownNames = Object.entries(edges)
    .flatMap(([from, targets]) => [from, ...targets])
    .filter((name) => !folders.includes(name))
  const problems = [...new Set(unknownNames)].map((name) => `there is no domain ${name}. Remove it`)
  const state = new Map()
  const visit = (name, path) => {
    if (state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      problems.push(
        `the edges form a cycle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}. Move shared code down`,
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
