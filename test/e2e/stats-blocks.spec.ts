import { paths } from '#shared/kernel/paths.ts'
import type { BulkBlock, TemplateBlock } from '#shared/stats/blocks.ts'
import type { CostBlock } from '#shared/stats/cost.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

/** A picture shows the whole page. */
const tall = process.env.PICTURES ? { height: 4_600 } : {}
const sizes = { wide: { width: 1440, height: 900, ...tall }, narrow: { width: 390, height: 844, ...tall } } as const
const words = {
  es: {
    locale: 'es-AR',
    sections: 'En esta página',
    templates: 'Plantillas',
    bulk: 'Envíos masivos',
    flows: 'Flujos',
    health: 'Salud de la cuenta',
    cost: 'Costo estimado',
    steps: 'Paso a paso: Saludo',
    more: 'Por país, por origen y por día',
    save: 'Guardar precios',
    saved: 'Precios guardados.',
    marketing: 'Marketing',
    price: '0,07',
  },
  en: {
    locale: 'en-GB',
    sections: 'On this page',
    templates: 'Templates',
    bulk: 'Bulk sends',
    flows: 'Flows',
    health: 'Account health',
    cost: 'Estimated cost',
    steps: 'Step by step: Saludo',
    more: 'By country, by sender and by day',
    save: 'Save prices',
    saved: 'Prices saved.',
    marketing: 'Marketing',
    price: '0.07',
  },
} as const
const graph = {
  nodes: [
    { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
    { id: 'm', type: 'message', position: { x: 360, y: 0 }, data: { text: 'Hola', ends: ['next'] } },
  ],
  edges: [{ source: 's', target: 'm' }],
}

for (const { language, theme, size } of inTurn(looks))
  test.describe(`${language}, ${theme}, ${size}`, () => {
    const w = words[language]
    test.use({ locale: w.locale, colorScheme: theme, viewport: sizes[size] })

    test('templates, bulk sends, flows, health and costs say what was sent, and each figure opens it', async ({
      page,
      org,
    }) => {
      test.setTimeout(180_000)
      await org.call('POST', '/whatsapp/template/sync')
      const flow = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
        name: 'Saludo',
        graph,
        triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
      })
      await org.call('POST', `/whatsapp/flows/${flow.id}/publish`, {})
      await org.call('PUT', '/whatsapp/rate-card', {
        currency: 'USD',
        validFrom: '2026-10-01',
        rates: [{ country: 'AR', prices: { MARKETING: 0.0618, UTILITY: 0.026 } }],
      })
      const lucia = org.customer(1, 'Lucía Méndez')
      await lucia.says('hola')
      await org.customer(2, 'Martín Torres').says('Buenas, ¿hacen envíos?')
      await org.call('POST', '/whatsapp/messages', {
        numberTel: org.customer(2).phone,
        message: 'Sí, a toda la ciudad.',
      })
      const { items } = await org.call<{ items: { id: string; name: string }[] }>('GET', '/whatsapp/template')
      await org.call('POST', '/whatsapp/bulk-sends', {
        template: items.find(({ name }) => name === 'pedido_listo')?.id,
        audience: { numbers: `11 5555-7171, 11 5555-7172, ${lucia.phone}` },
        values: { body: { '1': { from: 'fixed', text: 'Ana' }, '2': { from: 'fixed', text: '7' } } },
        startIfPlanned: 3,
      })
      await org.until<TemplateBlock>('/stats/blocks/templates', ({ total }) => total.delivered === 3)
      await lucia.says('¡Gracias!')
      await org.until<TemplateBlock>('/stats/blocks/templates', ({ total }) => total.replied === 1)
      await org.until<BulkBlock>('/stats/blocks/bulk-sends', ({ total }) => total.replied === 1)
      await org.until<CostBlock>('/stats/blocks/cost', ({ total }) => total.delivered >= 5)

      await page.goto(paths.stats(org.slug))
      const block = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) }).first()
      await expect(block(w.templates).getByRole('row', { name: /pedido_listo/ })).toContainText('3')
      await expect(block(w.bulk).getByRole('row', { name: /pedido_listo/ })).toBeVisible()
      await expect(block(w.flows).getByRole('row', { name: /Saludo/ })).toContainText('1')
      await expect(block(w.health)).toBeVisible()
      await expect(block(w.cost).getByRole('row').last()).toContainText('USD')
      await expectNoSidewaysScroll(page)
      const parts = page.getByRole('navigation', { name: w.sections })
      await tabTo(page, parts.getByRole('link', { name: w.flows, exact: true }))
      await page.keyboard.press('Enter')
      await expect(block(w.flows).getByRole('heading').first()).toBeFocused()
      await expect(block(w.flows).getByRole('heading').first()).toBeInViewport()
      await page.getByText(w.steps).click()
      await expect(block(w.flows).getByRole('row', { name: /Mensaje|Message/ })).toBeVisible()
      await page.getByText(w.more).click()
      await expect(block(w.cost).getByText('Argentina')).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'blocks')
      for (const width of [1024, 768]) {
        if (!process.env.PICTURES) break
        await page.setViewportSize({ width, height: 4_600 })
        await expectNoSidewaysScroll(page)
        await picture(page, `blocks-${width}`)
      }
      await page.setViewportSize(sizes[size])

      const replied = block(w.templates).locator('a[href*="outcome=replied"]').first()
      await tabTo(page, replied)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/outcome=replied/)
      await expect(page.locator('main tbody tr')).toHaveCount(1)
      await expect(page.locator('main tbody tr')).toContainText('Lucía Méndez')
      await expectAccessible(page)
      await picture(page, 'messages')

      await page.goto(paths.stats(org.slug))
      await block(w.bulk).locator('a[href$="?outcome=replied"]').click()
      await expect(page.locator('main tbody tr', { hasText: 'Lucía Méndez' })).toBeVisible()
      await expect(page.locator('main tbody tr')).toHaveCount(1)

      await page.goto(paths.stats(org.slug))
      await page.getByText(w.steps).click()
      await block(w.flows).locator('a[href*="counted=reached"]').first().click()
      await expect(page.getByRole('status').filter({ hasText: ':' })).toBeVisible()
      await expect(page.locator('.flow-runs li')).toHaveCount(1)
      await expect(page.locator('.flow-runs li')).toContainText('Lucía Méndez')
      await expectAccessible(page)

      await page.goto(paths.settingsOf(org.slug, 'prices'))
      const price = page.getByLabel(w.marketing).first()
      await price.fill(w.price)
      await expectAccessible(page)
      await picture(page, 'prices')
      await page.getByRole('button', { name: w.save }).click()
      await expect(page.getByText(w.saved)).toBeVisible()
      await expectNoSidewaysScroll(page)
      await page.emulateMedia({ media: 'print' })
      await page.goto(paths.stats(org.slug))
      await expect(block(w.cost)).toBeVisible()
      await expect(page.getByRole('navigation').first()).toBeHidden()
      await picture(page, 'print')
    })
  })
