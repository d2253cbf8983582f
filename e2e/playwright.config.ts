import { defineConfig } from '@playwright/test'
import { findChromium } from './src/chromium.ts'

const { executablePath, env } = findChromium()

export default defineConfig({
  testDir: 'journeys',
  // A folder of its own: Playwright empties it, and the other runners' reports lie beside it.
  outputDir: '../test-results/e2e',
  // They end what hangs: room for a machine that does much else. A journey takes seconds otherwise.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  workers: 2,
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
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      env: { ...(process.env as Record<string, string>), ...env },
      // Chromium's sandbox needs a privilege that containers withhold; the pages here are our own.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
