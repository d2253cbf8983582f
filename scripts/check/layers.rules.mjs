// Imports go one way (ARCHITECTURE.md). A rule names rings, never features, so that a new folder is
// guarded from its first file on.

const configs = /^[^/]+\/[^/]+\.config\.ts$/
const isTest = (file) => /\.test\.tsx?$/.test(file) || !/^[^/]+\/src\//.test(file) || configs.test(file)

/** Rings from the bottom up: a file imports from its own ring's domain or from a lower ring. */
const rings = {
  contract: ['kit', 'domain', 'registry'],
  server: ['config', 'floor', 'kit', 'domain', 'app', 'main'],
  web: ['ui', 'kit', 'domain', 'app', 'main'],
}

/** `{pkg, ring, folder, test}` of a file such as `server/src/offers/offers.routes.ts`. */
export function placeOf(file) {
  const [pkg, , first, ...rest] = file.split('/')
  if (isTest(file) || ['e2e', 'bench', 'stress'].includes(pkg)) return { pkg, test: true }
  if (!rings[pkg]) return { pkg, ring: 'stand-in' }
  const atRoot = rest.length === 0
  const stem = atRoot ? first.split('.')[0] : first
  if (pkg === 'contract')
    return { pkg, ring: atRoot ? 'registry' : stem === 'kit' ? 'kit' : 'domain', folder: stem }
  if (stem === 'main') return { pkg, ring: 'main', folder: 'main' }
  if (pkg === 'server' && atRoot && stem === 'config') return { pkg, ring: 'config', folder: 'config' }
  if (pkg === 'server' && ['db', 'clients'].includes(stem)) return { pkg, ring: 'floor', folder: stem }
  if (pkg === 'web' && stem === 'ui') return { pkg, ring: 'ui', folder: 'ui' }
  if (stem === 'kit') return { pkg, ring: 'kit', folder: 'kit' }
  return { pkg, ring: atRoot || stem === 'app' ? 'app' : 'domain', folder: atRoot ? 'app' : stem }
}

const namesToAvoid = /(^|\/)(utils?|misc|common|helpers?|types|index)(\.[^/]*)?(\/|$)/

/** What is wrong with a module's own name, or null. */
export function nameProblem(file) {
  if (!namesToAvoid.test(file)) return null
  return 'this name says nothing. Name the file for its domain and role (offers.routes.ts), or put the code where it is used'
}

/** What is wrong with one import from one file, with its remedy; null when all is well. */
export function importProblem(from, { to, specifier, external, missing }) {
  const here = placeOf(from)
  if (here.test) return missing ? `'${specifier}' leads nowhere. Correct the path` : null
  if (to === null)
    return 'this import is decided only when it runs, so nobody can check it. Write the file names out'
  if (missing) return `'${specifier}' leads nowhere. Correct the path`
  if (external) return externalProblem(here, specifier)
  const there = placeOf(to)
  if (there.test)
    return `the product must not lean on ${to}, which is there for tests. Move what both need into the product`
  return there.pkg === here.pkg ? sidewaysProblem(here, there, to) : acrossProblem(here, there)
}

function externalProblem(here, specifier) {
  if (here.pkg !== 'contract' || specifier === 'typebox' || specifier.startsWith('typebox/')) return null
  return `the contract stands on typebox alone, so that server and web can both read it. Move what needs '${specifier}' to one of them`
}

function acrossProblem(here, there) {
  if (there.pkg === 'stand-ins')
    return 'the product never imports a stand-in. Speak to the outside system through its client, and give the test the stand-in’s address'
  if (here.pkg === 'stand-ins')
    return 'a stand-in knows the outside protocol, not this product. Write the protocol’s shapes out in the stand-in'
  if (here.pkg === 'contract')
    return `the contract imports neither server nor web. Declare the shape in contract/src and let ${there.pkg} import it`
  if (there.pkg !== 'contract') return 'server and web never meet. Declare what both need in contract/src'
  if (here.ring === 'ui' && there.ring !== 'kit')
    return 'a widget knows no resource. Take what it needs as props, and name the resource in its page'
  return null
}

function sidewaysProblem(here, there, to) {
  const order = rings[here.pkg]
  if (!order) return null
  const climb = order.indexOf(there.ring) - order.indexOf(here.ring)
  if (climb > 0)
    return `${here.ring} is below ${there.ring}, and imports go down only. Move what you need from ${to} down, or take it as a parameter and wire it above`
  if (climb < 0 || here.folder === there.folder || here.ring === 'registry') return null
  if (here.ring === 'floor') return 'db and clients stand side by side. Compose them in kit or above'
  return `${here.folder} and ${there.folder} are two domains, which never import each other. Bring shared data down to ${here.pkg === 'server' ? 'db or kit' : 'kit'}, or compose the two in ${here.pkg === 'contract' ? 'registry.ts' : 'app'}`
}
