import { paths } from '#shared/kernel/paths.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    check: 'Revisar conexión',
    quality: 'Media: hay personas que bloquean',
    token: 'Vence en 10 días',
    press: 'Usuarios del sistema',
    fields: 'Falta suscribirse a account_update',
    payment: 'Meta no pudo cobrar',
    fine: 'Deja enviar',
    edit: 'Editar',
    about: 'Info',
    website: 'Sitio web 1',
    save: 'Guardar en WhatsApp',
    invalid: 'No es válido.',
    saved: 'El perfil quedó guardado en WhatsApp',
    photo: 'La foto ya es la nueva',
    name: 'Nombre visible',
    label: 'Nombre que ven los clientes',
    ask: 'Pedir el nombre',
    inUse: '«Panadería Don Luis» ya es el nombre que se ve.',
    subscribe: 'Suscribir la app',
    subscribed: 'La app está suscrita a la cuenta.',
    cancel: 'Cancelar',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    check: 'Check connection',
    quality: 'Medium: some people block or report',
    token: 'Expires in 10 days',
    press: 'System users',
    fields: 'Not subscribed to account_update',
    payment: "Meta couldn't charge",
    fine: 'Allows sending',
    edit: 'Edit',
    about: 'About',
    website: 'Website 1',
    save: 'Save to WhatsApp',
    invalid: "It isn't valid.",
    saved: 'Profile saved to WhatsApp',
    photo: 'Picture updated',
    name: 'Display name',
    label: 'Name shown to customers',
    ask: 'Request name',
    inUse: '“Panadería Don Luis” is the name shown.',
    subscribe: 'Subscribe the app',
    subscribed: 'The app is subscribed to the account.',
    cancel: 'Cancel',
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}`, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 }, colorScheme: w.scheme })
    test('a check finds what is wrong and offers the fix; profile and name are changed by keyboard alone', async ({
      page,
      org,
      site,
      complaints,
    }) => {
      complaints.announce(/400 PATCH \/api\/whatsapp\/connection\/profile/)
      await org.call('PATCH', '/sandbox', {
        quality: 'YELLOW',
        tokenDays: 10,
        accountUpdates: false,
        paymentFails: true,
      })
      await site.databases.write
        .updateTable('sandbox_number')
        .set({ subscribed: 0 })
        .where('org_id', '=', org.owner.org.id)
        .execute()
      // However recent the last reading is, values set since are requested.
      await site.databases.write.deleteFrom('number_standing').where('org_id', '=', org.owner.org.id).execute()
      await page.goto(paths.settingsOf(org.slug, 'whatsapp'))
      await page.getByRole('button', { name: w.check }).press('Enter')
      for (const text of [w.quality, w.fields, w.payment]) await expect(page.getByText(text)).toBeVisible()
      await expect(page.getByText(w.token, { exact: false }).first()).toBeVisible()
      await expect(page.getByText(w.press).first()).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'troubles')

      await page.getByRole('button', { name: w.subscribe }).press('Enter')
      await expect(page.getByText(w.subscribed)).toBeVisible()

      await page.getByRole('button', { name: w.edit, exact: true }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(w.about, { exact: true }).fill('Pan recién hecho')
      await dialog.getByLabel(w.website).fill('donluis')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.invalid)).toBeVisible()
      await expectAccessible(page)
      await picture(page, 'profile')
      await dialog.getByLabel(w.website).fill('https://donluis.example/')
      await page.keyboard.press('Enter')
      await expect(page.getByText(w.saved)).toBeVisible()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText('Pan recién hecho')).toBeVisible()

      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'pan.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
      await expect(page.getByText(w.photo)).toBeVisible()

      await page.getByRole('button', { name: w.name, exact: true }).press('Enter')
      await dialog.getByLabel(w.label).fill('Panadería Don Luis')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(w.inUse)).toBeVisible()
      await expect(dialog.locator('[type=submit]')).toBeEnabled()
      await expectAccessible(page)
      await picture(page, 'name')
      await dialog.getByRole('button', { name: w.cancel }).click()
      await expect(dialog).toHaveCount(0)
      await expectNoSidewaysScroll(page)
      await picture(page, 'after')
    })
  })

test('a developer manages the connection like an owner', { tag: '@nightly' }, async ({ org, another }) => {
  const developer = await another(await org.colleague('Dana', 'developer'))
  await developer.goto(paths.settingsOf(org.slug, 'whatsapp'))
  await expect(developer.getByRole('heading', { name: 'Revisión de la conexión' })).toBeVisible()
  await expect(developer.getByRole('button', { name: 'Revisar conexión' })).toBeVisible()
  await expect(developer.getByRole('button', { name: 'Nombre visible' })).toBeVisible()
  await expectAccessible(developer)
})
