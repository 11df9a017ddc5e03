import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

/** A picture shows the whole page. */
const tall = process.env.PICTURES ? { height: 3_400 } : {}
const sizes = { wide: { width: 1440, height: 900, ...tall }, narrow: { width: 390, height: 844, ...tall } } as const
const words = {
  es: { locale: 'es-AR', byDay: 'Día por día', none: /^Una conversación$|^\d+ conversaciones$/ },
  en: { locale: 'en-GB', byDay: 'Day by day', none: /^1 conversation$|^\d+ conversations$/ },
} as const

for (const { language, theme, size } of inTurn(looks))
  test.describe(`${language}, ${theme}, ${size}`, () => {
    const w = words[language]
    test.use({ locale: w.locale, colorScheme: theme, viewport: sizes[size] })

    test('every number of the statistics opens as many conversations', async ({ page, org }) => {
      test.setTimeout(120_000)
      const names = ['Lucía Méndez', 'Martín Torres', 'Nadia Romero', 'Jorge Sosa', 'Ada Bo', 'Carolina Giménez']
      for (const [i, name] of names.entries()) await org.customer(i + 1, name).says('Hola, ¿hacen envíos?')
      for (const i of [1, 2, 3, 4, 5])
        await org.call('POST', '/whatsapp/messages', {
          numberTel: org.customer(i).phone,
          message: 'Sí, a toda la ciudad.',
        })
      await org.until<{ figures: { attended: { value: number }; firstResponse: { count: number } } }>(
        '/stats/summary',
        ({ figures }) => figures.attended.value === names.length && figures.firstResponse.count === 5,
      )
      await page.goto(paths.stats(org.slug))
      const numbers = page.locator('main a[href*="/stats/conversations"]')
      await expect(numbers.first()).toHaveText('6')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'stats')
      const found = await numbers.evaluateAll(links =>
        links.map(link => ({ href: link.getAttribute('href') ?? '', says: link.textContent ?? '' })),
      )
      expect(found.length).toBeGreaterThan(12)
      for (const { href, says } of found) {
        await page.goto(href)
        const total = page.locator('main [role="status"]')
        await expect(total).toHaveText(w.none)
        const rows = await page.locator('main tbody tr').count()
        if (/^\d+$/.test(says)) expect(`${rows}`, href).toBe(says)
      }
      await expectAccessible(page)
      await picture(page, 'stats-conversations')

      await page.goto(paths.stats(org.slug))
      const spark = page.locator('.stats-spark').first()
      const tooltip = page.locator('.tooltip')
      await tabTo(page, spark)
      await expect(tooltip).toBeVisible()
      await page.keyboard.press('End')
      await expect(tooltip).toContainText(/: 6$/)
      await page.keyboard.press('Escape')
      await expect(tooltip).toBeHidden()
      await page.getByText(w.byDay).click()
      await expect(page.locator('.stats-by-day tbody tr')).toHaveCount(7)
      await expect(page.locator('.stats-by-day tbody a').first()).toHaveText('6')
      await expectAccessible(page)
      const meaning = page.locator('summary', { hasText: '?' }).nth(1)
      await tabTo(page, meaning)
      await page.keyboard.press('Enter')
      await expect(page.locator('.stats-means[open] p')).toBeVisible()
      await expectAccessible(page)
      await tabTo(page, numbers.nth(1))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/show=firstResponse/)
      await expect(page.locator('main tbody tr')).toHaveCount(5)
    })
  })
