import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    ...{
      locale: 'es-AR',
      width: 390,
      quality: 'Calidad',
      check: 'Revisar conexión',
      wrong: '1 cosa para ver.',
    },
    ...{
      failed: '1 llamada con error en 24 h',
      calls: '2 llamadas en 24 h · 1 con error',
      last: /Último error.*con la API key Tienda/,
    },
    ...{ agents: 'Dirección para agentes (MCP)', recipes: 'Ver las recetas', moving: 'Importar y exportar' },
    ...{ none: /Todavía no se importó/, contacts: 'Importar o exportar contactos' },
    ...{ index: 'En esta página', webhooks: 'Webhooks salientes', unused: 'Sin usar' },
  },
  en: {
    ...{ locale: 'en-GB', width: 1440, quality: 'Quality', check: 'Check connection', wrong: '1 issue to look at.' },
    ...{
      failed: '1 failed call in 24 h',
      calls: '2 calls in 24 h · 1 failed',
      last: /Last error.*with the key Tienda/,
    },
    ...{ agents: 'Address for agents (MCP)', recipes: 'View the recipes', moving: 'Import and export' },
    ...{ none: /No contacts file/, contacts: 'Import or export contacts' },
    ...{ index: 'On this page', webhooks: 'Outgoing webhooks', unused: 'Not in use' },
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })

    test('each card says how it stands and leads on', async ({ page, org, site }) => {
      const created = await page.request.post(`${site.url}/api/auth/api-key/create`, {
        headers: { origin: site.url },
        data: { name: 'Tienda' },
      })
      const { key } = await created.json()
      for (const path of ['conversations', 'chats/5491100000000'])
        await fetch(`${site.url}/api/whatsapp/${path}`, { headers: { 'x-api-key': key } })
      await page.goto(`/org/${org.slug}/integrations`)

      const whatsapp = page.getByRole('region', { name: 'WhatsApp' })
      await expect(whatsapp).toContainText(w.quality)
      await whatsapp.getByRole('button', { name: w.check }).click()
      await expect(whatsapp).toContainText(w.wrong)

      const api = page.getByRole('region', { name: 'API', exact: true })
      await expect(api).toContainText(w.failed)
      await expect(api).toContainText(w.calls)
      await expect(api).toContainText(w.last)
      await expect(api).toContainText(w.agents)
      await expect(api.getByText(/\/mcp$/)).toBeVisible()

      const moving = page.getByRole('region', { name: w.moving })
      await expect(moving).toContainText(w.none)
      await expect(moving.getByRole('link', { name: w.contacts })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'integrations-cards')

      const index = page.getByRole('navigation', { name: w.index })
      if (w.width > 1000) await expect(index).toBeHidden()
      else {
        await expect(index.getByRole('listitem').filter({ hasText: w.webhooks })).toContainText(w.unused)
        const ofApi = { has: page.getByRole('link', { name: 'API', exact: true }) }
        await expect(index.getByRole('listitem').filter(ofApi)).toContainText(w.failed)
        await index.getByRole('link', { name: w.moving }).press('Enter')
        await expect(moving.getByRole('heading')).toBeInViewport()
      }

      await page.getByRole('link', { name: w.recipes }).click()
      await expect(page.locator('#n8n-make-and-zapier')).toBeInViewport()
    })
  })
