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
  // A separate folder, because Playwright empties it. The reports of other runners are beside it.
  outputDir: '../test-results/e2e',
  // The limits only end a test that hangs. They leave room for a busy machine.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // More workers than the two cores, because a test waits for its page for half of its time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['KARVON_E2E_REPORT'] ?? '../test-results/e2e.json' }],
  ],
  use: {
    // Animations cost a tenth of the time. A test that needs them asks for them.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'ru-RU',
    timezoneId: 'Asia/Tashkent',
    viewport: { width: 1440, height: 900 },
    // Traces are off by default, because they cost a third of the time.
    trace: process.env['KARVON_E2E_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      env: { ...(process.env as Record<string, string>), ...env },
      // Chromium's sandbox needs a privilege that containers lack. All tested pages are our own.
      // By default Playwright makes Chromium share memory through files, which costs an eighth of the time.
      ignoreDefaultArgs: sharesMemory ? ['--disable-dev-shm-usage'] : [],
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
