import type { Org, Page, Site } from './fixtures.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, signIn, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    state: 'Hay que volver a autorizarlo',
    remedy: /Generá un token nuevo en Meta/,
    reconnect: 'Volver a conectar',
    title: 'Token de acceso',
    token: 'Token de acceso',
    secret: 'Secreto de la app',
    required: 'Completá este campo.',
    save: 'Comprobar y guardar',
    working: 'Conectado',
    actions: /^Acciones de/,
    disconnect: 'Desconectar',
    waiting: /esperan salir quedan como no enviados/,
    none: 'Sin conectar',
    connect: 'Conectar WhatsApp',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    state: 'Needs to be reauthorized',
    remedy: /Create a new system user token in Meta/,
    reconnect: 'Reconnect',
    title: 'Access token',
    token: 'Access token',
    secret: 'App secret',
    required: 'This field is required.',
    save: 'Check and save',
    working: 'Connected',
    actions: /^Actions for/,
    disconnect: 'Disconnect',
    waiting: /waiting to be sent are marked as not sent/,
    none: 'Not connected',
    connect: 'Connect WhatsApp',
  },
} as const

/** The state of a number after Meta's error 190. */
const setState = (site: Site, org: Org, status: 'connected' | 'reauthorise', kind: 'cloud' | 'sandbox' = 'cloud') =>
  site.databases.write
    .updateTable('wa_connection')
    .set({ status, status_reason: status === 'reauthorise' ? '190' : null, kind })
    .where('org_id', '=', org.owner.org.id)
    .execute()

/** Meta's answers to a token cannot be produced by our server, so they are intercepted. */
const metaAnswers = (page: Page, site: Site, org: Org) => {
  let asked = 0
  return page.route('**/api/whatsapp/connection', async route => {
    if (route.request().method() !== 'PUT') return route.continue()
    asked += 1
    if (asked === 1)
      return route.fulfill({
        status: 400,
        json: { statusCode: 400, code: 'NUMBERS_TOKEN_REFUSED', message: 'Meta: 190', requestId: 'r' },
      })
    await setState(site, org, 'connected')
    return route.fulfill({ status: 200, json: {} })
  })
}

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })
    test('a refused token is shown with its remedy, replaced, and the number disconnected, all on one card', async ({
      page,
      org,
      site,
      complaints,
    }) => {
      complaints.announce(/400 PUT \/api\/whatsapp\/connection/)
      await setState(site, org, 'reauthorise')
      await metaAnswers(page, site, org)
      await page.goto(`/org/${org.slug}/integrations`)
      const card = page.getByRole('region', { name: 'WhatsApp' })
      await expect(card).toContainText(w.state)
      await expect(card).toContainText(w.remedy)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'reauthorise')

      await card.getByRole('button', { name: w.reconnect }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: w.title })
      await dialog.getByRole('button', { name: w.save }).click()
      await expect(dialog.getByText(w.required)).toHaveCount(2)
      await dialog.getByLabel(w.token).fill('EAAnew')
      await dialog.getByLabel(w.secret).fill('0123456789abcdef')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText('Meta: 190')).toBeVisible()
      await expect(dialog.getByLabel(w.token)).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(page)
      await picture(page, 'token')
      await dialog.getByRole('button', { name: w.save }).click()
      await expect(dialog).toHaveCount(0)
      await expect(card).toContainText(w.working)

      const actions = card.getByRole('button', { name: w.actions })
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: w.disconnect }).press('Enter')
      const question = page.getByRole('dialog')
      await expect(question).toContainText(w.waiting)
      await expectAccessible(page)
      await picture(page, 'disconnect')
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(actions).toBeFocused()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: w.disconnect }).press('Enter')
      await question.getByRole('button', { name: w.disconnect }).click()
      await expect(card).toContainText(w.none)
      await expect(card.getByRole('link', { name: w.connect })).toBeVisible()
    })
  })

test('a developer sees what to do about the connection, and can do it', { tag: '@nightly' }, async ({
  page,
  org,
  site,
  context,
}) => {
  await setState(site, org, 'reauthorise')
  await context.clearCookies()
  await signIn(context, site, await org.colleague('Dana', 'developer'))
  await page.goto(`/org/${org.slug}/integrations`)
  const card = page.getByRole('region', { name: 'WhatsApp' })
  await expect(card).toContainText('Generá un token nuevo en Meta')
  await expect(
    card.getByRole('link', { name: 'Volver a conectar' }).or(card.getByRole('button', { name: 'Volver a conectar' })),
  ).toBeVisible()
})
