import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The server that `npm run dev` starts; its port can be moved when 8080 is taken.
const api = `http://127.0.0.1:${process.env.KARVON_DEV_API ?? '8080'}`

/**
 * In the browser a schema of the contract is whatever was handed to it: the web reads from a declaration where a
 * call goes and what a field is, and leaves it to the server to check by it. TypeBox would be a tenth of each page.
 */
const plainSchemas: Plugin = {
  name: 'plain-schemas',
  enforce: 'pre',
  resolveId: (id) => (id === 'typebox' ? '\0plain-schemas' : null),
  load: (id) =>
    id === '\0plain-schemas'
      ? 'export const Type = new Proxy({}, { get: () => (properties) => ({ properties }) })'
      : null,
}

// VITE_API_HOST (default: the page's own origin) is read by the code through import.meta.env.
export default defineConfig({
  plugins: [plainSchemas, react()],
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
