import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    ...{ locale: 'es-AR', width: 390, colorScheme: 'dark' as const, start: 'API de Recado', search: 'Buscar llamadas' },
    ...{
      part: 'Contactos y etiquetas',
      tryIt: 'Probar',
      body: 'Cuerpo (JSON)',
      send: 'Enviar',
      done: /^Hecho · 201 · \d+ ms$/,
    },
    ...{
      refused: /^Rechazada · 401 · \d+ ms$/,
      invalid: /^Rechazada · 400 · \d+ ms$/,
      notJson: /El cuerpo no es JSON/,
    },
    ...{ next: 'Conversaciones' },
  },
  en: {
    ...{ locale: 'en-GB', width: 1440, colorScheme: 'light' as const, start: 'Recado API', search: 'Search calls' },
    ...{ part: 'Contacts and tags', tryIt: 'Try it', body: 'Body (JSON)', send: 'Send', done: /^Done · 201 · \d+ ms$/ },
    ...{ refused: /^Rejected · 401 · \d+ ms$/, invalid: /^Rejected · 400 · \d+ ms$/, notJson: /The body isn't JSON/ },
    ...{ next: 'Conversations' },
  },
} as const

for (const language of inTurn(['es', 'en'] as const)) {
  const w = words[language]
  test.describe(language, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.colorScheme })

    test('a developer finds a call, tries it with a key, and sees why it is refused', async ({
      page,
      org,
      complaints,
    }) => {
      const { key } = (await org.call('POST', '/auth/api-key/create', { name: 'Tienda' })) as { key: string }
      const looks = async (name: string) => {
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await picture(page, name)
      }
      await page.goto('/api/docs')
      await expect(page.getByRole('heading', { level: 1, name: w.start })).toBeVisible()
      await looks('reference-start')

      await page.getByRole('searchbox', { name: w.search }).pressSequentially('create tag')
      const found = page.getByRole('main').getByRole('link', { name: '/api/whatsapp/tags' }).first()
      await expect(found).toBeVisible()
      await looks('reference-found')
      await found.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: w.part })).toBeVisible()
      const call = page.locator('[id="tags.createTag"]')
      const form = call.locator('form', { hasText: w.tryIt })
      await form.getByLabel(w.body).fill('{"label": "Mayorista"}')

      complaints.announce(/^401 POST \/api\/whatsapp\/tags$/, /^400 POST \/api\/whatsapp\/tags$/)
      await form.getByLabel('API key').fill('recado_nobody')
      await form.getByRole('button', { name: w.send }).press('Enter')
      await expect(form.getByText(w.refused)).toBeVisible()
      await expect(form.locator('.reason')).not.toBeEmpty()
      await looks('reference-refused')

      await form.getByLabel('API key').fill(key)
      await form.getByRole('button', { name: w.send }).press('Enter')
      await expect(form.getByText(w.done)).toBeVisible()
      await expect(form.locator('.answer pre')).toContainText('"label": "Mayorista"')
      await looks('reference-answer')

      await form.getByLabel(w.body).fill('{"label": ""}')
      await form.getByRole('button', { name: w.send }).press('Enter')
      await expect(form.getByText(w.invalid)).toBeVisible()
      await expect(form.locator('.answer')).toContainText('body.label')
      await form.getByLabel(w.body).fill('{label}')
      await form.getByRole('button', { name: w.send }).press('Enter')
      await expect(form.getByText(w.notJson)).toBeVisible()

      await page.getByRole('navigation').getByRole('link', { name: w.next, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: w.next })).toBeVisible()
      const list = page.locator('[id="inbox.listConversations"]')
      await list.locator('summary').first().press('Enter')
      await list.getByRole('radio', { name: 'Python' }).check()
      await expect(list.getByText('urllib.request.Request')).toBeVisible()
      await expect(list.getByLabel('API key')).toHaveValue(key)
      await looks('reference-other-part')
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      )
      expect(kept).not.toContain(key)
      await page.reload()
      await list.locator('summary').first().click()
      await expect(list.getByLabel('API key')).toHaveValue('')
    })
  })
}
