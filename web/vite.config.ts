import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The server that `npm run dev` starts; its port can be moved when 8080 is taken.
const api = `http://127.0.0.1:${process.env.KARVON_DEV_API ?? '8080'}`

// VITE_API_HOST (default: the page's own origin) is read by the code through import.meta.env.
export default defineConfig({
  plugins: [react()],
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
