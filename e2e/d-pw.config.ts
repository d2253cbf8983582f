import base from '/work/h1/e2e/playwright.config.ts'
export default {
  ...base,
  globalSetup: undefined,
  testDir: '/work/h1/e2e/tests',
  outputDir: '/tmp/d-pw-out',
  reporter: [['list']],
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
}
