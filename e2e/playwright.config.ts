import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { findChromium } from './src/chromium.ts'

const { executablePath, env } = findChromium()

/** Three browsers need some hundred megabytes of it. */
const sharesMemory = freeBytes('/dev/shm') > 1024 ** 3

function freeBytes(folder: string): number {
  const { bavail, bsize } = existsSync(folder) ? statfsSync(folder) : { bavail: 0, bsize: 0 }
  return bavail * bsize
}

export default defineConfig({
  testDir: 'tests',
  globalSetup: './src/product.template.ts',
  // A folder of its own: Playwright empties it, and the other runners' reports lie beside it.
  outputDir: '../test-results/e2e',
  // The limits only end a test that hangs. They leave room for a busy machine.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // More than the two cores: a test waits for its page for half of its time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['KARVON_E2E_REPORT'] ?? '../test-results/e2e.json' }],
  ],
  use: {
    locale: 'ru-RU',
    timezoneId: 'Asia/Tashkent',
    viewport: { width: 1440, height: 900 },
    // A trace of every test takes a third of the time, so it is off by default.
    trace: process.env['KARVON_E2E_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      env: { ...(process.env as Record<string, string>), ...env },
      // Chromium's sandbox needs a privilege that containers withhold; the pages here are our own.
      // Playwright lets Chromium share memory through files, for small /dev/shm: here it costs an eighth of the time.
      ignoreDefaultArgs: sharesMemory ? ['--disable-dev-shm-usage'] : [],
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
