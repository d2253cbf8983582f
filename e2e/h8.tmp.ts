import { chromium } from '@playwright/test'
import { AxeBuilder } from '@axe-core/playwright'
import { findChromium } from './src/chromium.ts'
const c = findChromium()
const b = await chromium.launch({
  executablePath: c.executablePath,
  env: { ...process.env, ...c.env } as Record<string, string>,
  args: ['--no-sandbox'],
})
const url = 'http://127.0.0.1:18452'
const f = new FormData()
f.set('username', 'admin')
f.set('password', 'karvon-h8-admin')
const a = (await (await fetch(url + '/parcel/auth/login', { method: 'POST', body: f })).json()) as any
const session = JSON.stringify({
  token: a.access_token,
  user: { id: a.id, username: a.username, email: a.email, name: a.name, role: a.role, is_active: true },
})
for (const scheme of ['light', 'dark'] as const)
  for (const width of [1440, 360]) {
    const ctx = await b.newContext({ colorScheme: scheme, viewport: { width, height: 1000 } })
    const page = await ctx.newPage()
    page.on('pageerror', (e) => console.log('ERR', e.message))
    page.on('console', (m) => {
      if (m.type() === 'error') console.log('CON', m.text())
    })
    await page.addInitScript((s) => localStorage.setItem('emu_auth', s), session)
    await page.addInitScript(() => {
      ;(window as any).shifts = []
      new PerformanceObserver((l) => {
        for (const e of l.getEntries() as any[])
          (window as any).shifts.push([
            e.value,
            e.sources?.map(
              (s: any) =>
                (s.node?.className ?? s.node?.nodeName) + ' ' + s.previousRect?.y + '->' + s.currentRect?.y,
            ),
          ])
      }).observe({ type: 'layout-shift', buffered: true })
    })
    for (const [name, path] of [
      ['offers', '/statistics?tab=offers&from=2026-11-01&to=2026-11-21'],
      ['streams', '/statistics?tab=streams'],
      ['daily', '/statistics?from=2026-11-15&to=2026-11-21'],
      ['offerlist', '/offers'],
    ] as const) {
      await page.goto(url + path)
      await page.waitForTimeout(2500)
      if (name === 'offers') {
        const r = page.locator('[role=img] > div').nth(1)
        if (await r.count()) await r.hover()
        console.log(await page.getByRole('img').last().getAttribute('aria-label'))
      }
      await page.screenshot({ path: `/tmp/h8/${name}-${scheme}-${width}.png`, fullPage: width === 360 })
      const { violations } = await new AxeBuilder({ page }).analyze()
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      console.log(
        scheme,
        width,
        name,
        violations.map((v) => v.id + ':' + v.nodes.map((n) => n.target)),
        'over',
        over,
        JSON.stringify(await page.evaluate(() => (window as any).shifts)),
      )
    }
    await ctx.close()
  }
await b.close()
