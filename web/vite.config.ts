import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

// VITE_API_HOST (default: the page's own origin) is read by the code through import.meta.env.
export default defineConfig({
  plugins: [noSchemas, react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
})
