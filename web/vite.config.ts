import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import prefresh from '@prefresh/vite'
import { defineConfig, minifySync, type Plugin, type Rolldown } from 'vite'

// The server that `npm run dev` starts; its port can be moved when 8080 is taken.
const api = `http://127.0.0.1:${process.env.KARVON_DEV_API ?? '8080'}`

/**
 * Leaves TypeBox out of the bundle: 11 kB of compressed script on each page. The web reads the calls and fields of the
 * contract and never a schema; the server checks by schemas. In their place the bundle has objects that only know
 * their `properties`, which the contract itself combines. Any other access throws.
 */
const noSchemas: Plugin = {
  name: 'no-schemas',
  enforce: 'pre',
  resolveId: (id) => (id === 'typebox' ? '\0no-schemas' : null),
  load: (id) => (id === '\0no-schemas' ? noSchemasModule : null),
}

const noSchemasModule = `
  const get = (schema, key) => {
    if (key === 'properties') return schema.properties
    throw new Error('The web has no schemas: it reads ' + String(key))
  }
  const create = (properties) => new Proxy({ properties }, { get })
  export const Type = new Proxy({}, { get: () => create })
`

// `summary: 'List your sessions',` in the source of the contract. Long texts are sums of literals.
const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`[^\`\\]*\`)`
const documentationText = new RegExp(
  String.raw`\b(?:summary|description):\s*${literal}(?:\s*\+\s*${literal})*(?:,|(?=\s*[})]))`,
  'g',
)

/** Leaves the texts of the API's documentation out of the bundle. Only the server reads them. */
const noDocumentation: Plugin = {
  name: 'no-documentation',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/contract/src/') ? { code: code.replaceAll(documentationText, ''), map: null } : null,
}

/**
 * Minifies the first script, names it by its content, and tells it the address of the app's code. Vite leaves a script that is no
 * module as it is.
 */
function bootScript(): Plugin {
  const { code: source } = minifySync(
    'boot.js',
    readFileSync(new URL('src/boot.js', import.meta.url), 'utf8'),
  )
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  const fileName = `assets/boot-${hash}.js`
  return {
    name: 'boot-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: (html, { bundle = {} }) => {
      const app = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'app')
      if (app === undefined) throw new Error('The build has no chunk of the app')
      return html.replace('src="/src/boot.js"', `src="/${fileName}" data-app="/${app.fileName}"`)
    },
  }
}

// The library's index imports it, and details of rows alone use it.
const infiniteQuery = /\/(?:infiniteQueryObserver|useInfiniteQuery)\.js$/

/** The modules that a matching module imports, directly or not, for each of the patterns. */
function groupNeededBy(name: string, ...importers: RegExp[]): Rolldown.CodeSplittingGroup {
  const isNeeded = (
    id: string,
    graph: Rolldown.ChunkingContext,
    by: RegExp,
    visitedIds: Set<string>,
  ): boolean => {
    if (by.test(id)) return true
    if (visitedIds.has(id)) return false
    visitedIds.add(id)
    return (
      graph.getModuleInfo(id)?.importers.some((importer) => isNeeded(importer, graph, by, visitedIds)) ??
      false
    )
  }
  return {
    debugName: name,
    name: (id, graph) =>
      !infiniteQuery.test(id) && importers.every((by) => isNeeded(id, graph, by, new Set())) ? name : null,
  }
}

const publicPage = /\/(?:login|register|forgot-password|reset-password|track)\.page\.tsx$/
const app = /\/app\/(?:app|shell)\.tsx$/
const list = /\/resources\/(?:list-page|resource-columns)\.tsx$/
// Tabs and pages without tabs have lists. Logs have buttons without a form.
const mostPages = /\/(?:lib\/list\.query|components\/focus-after-busy\.hook)\.ts$/
const filters = /\/resources\/list-filters\.tsx$/
const tabs = /\/app\/tabbed-page\.tsx$/
const logs = /\/resources\/(?:log-page|action-button)\.tsx$/
const form = /\/components\/form\/form\.tsx$/

const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'))

/**
 * A few chunks for what many pages share. The many small ones of the default compress worse: a signed-in page is 15 kB
 * larger with them. A module is in the first group that it fits. All else is split as by default: what one page alone needs
 * is in its own chunk.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', tags: ['$initial'], priority: 5 },
  { ...groupNeededBy('public', publicPage, anyOf(app, list, filters, form)), priority: 4 },
  { ...groupNeededBy('app', anyOf(app, list, mostPages)), priority: 3 },
  { ...groupNeededBy('filters', filters), priority: 2 },
  // The leads and Explore have it without a form.
  { name: 'multi-select', test: /\/multi-select\.tsx$/, priority: 2 },
  { ...groupNeededBy('form', form), priority: 1 },
  // Small modules that compress better together. Most pages with one of a group need all of it. A browser requests six
  // files of an origin at a time, so each file more can cost a round trip.
  { name: 'drafts', test: /\/(?:draft\.hook|form-with-draft|form-modal)\.tsx?$/, priority: 1 },
  { name: 'figures', test: /\/display\/(?:kpi|chips)\.tsx$/, priority: 1 },
  {
    name: 'contract-parts',
    test: /\/contract\/src\/lib\/(?:filter-values|import|lead-texts|note|report-columns)\.ts$/,
    priority: 1,
  },
  { name: 'imports', test: /\/imports\/(?:imports|import\.texts|import-button)\.tsx?$/, priority: 1 },
  // The tracking page has them without the query of the app.
  { name: 'problem-kinds', test: /\/contract\/src\/parcels\/problems\.ts$/, priority: 2 },
  {
    name: 'problems',
    test: /\/parcels\/(?:problem-count\.tsx|problems\.(?:texts|query)\.ts)$/,
    priority: 1,
  },
  {
    name: 'report-parts',
    test: /\/reports\/(?:chart\.module\.css|currency-note\.tsx|drill-down\.tsx)$/,
    priority: 1,
  },
  { name: 'parcels', test: /\/parcels\/(?:parcels\.ts|parcel-status\.tsx)$/, priority: 0 },
  { name: 'parcel-texts', test: /\/parcels\/(?:parcels\.texts|parcel\.received)\.ts$/, priority: 0 },
  { name: 'lead-parts', test: /\/(?:lead-status\.tsx|lead-options\.ts)$/, priority: 0 },
  { name: 'reports', test: /\/reports\/(?:report\.query|reports|reports\.texts)\.ts$/, priority: 0 },
  { ...groupNeededBy('tabs', tabs), priority: 0 },
  { ...groupNeededBy('logs', logs), priority: 0 },
]

const styleFiles = new Map<string, string>()

/** The name of a class: that of its file, then its own. No two files of styles may have the same name. */
function createClassName(name: string, id: string): string {
  // In development the path of a changed file has a query.
  const [file = id] = id.split('?')
  const fileName = basename(file, '.module.css')
  const otherFile = styleFiles.get(fileName)
  if (otherFile !== undefined && otherFile !== file)
    throw new Error(`${file} and ${otherFile} have the same name`)
  styleFiles.set(fileName, file)
  return `${fileName}-${name}`
}

// VITE_API_HOST (default: the page's own origin) is read by the code through import.meta.env.
export default defineConfig(async ({ command }) => ({
  // In development a changed component is replaced on the page and keeps its state.
  plugins: [noSchemas, noDocumentation, bootScript(), command === 'serve' && (await prefresh())],
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'react' } },
  // Preact draws the page, in an eighth of React's size. Sources and types are React's.
  resolve: {
    alias: [
      { find: 'react', replacement: 'preact/compat' },
      { find: 'react-dom', replacement: 'preact/compat' },
      // The router brings this hook for React before 18. Preact has it.
      { find: /^use-sync-external-store\/shim$/, replacement: 'preact/compat' },
    ],
  },
  // Names of classes are in styles and scripts. Without the hashes of the default a page is 0.7 kB smaller.
  css: { modules: { generateScopedName: createClassName } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Decision 47. lib/polyfills.ts adds the functions that they lack.
    target: ['chrome109', 'edge109', 'firefox115', 'safari16.4'],
    // The content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    // All styles together are 13 kB compressed. One file each for most pages would be as much and would come later.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The libraries mark modules for servers that render React.
      checks: { moduleLevelDirective: false },
      // Names of chunks are in the code of others. Eight digits compress to two thirds of eight letters.
      output: { codeSplitting: { groups }, hashCharacters: 'hex' as const },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/parcel', '/healthz', '/readyz', '/metrics'].map((path) => [
        `^${path}(/|$|\\?)`,
        { target: api },
      ]),
    ),
  },
}))
