import { stepAt } from '#server/identity/auth/second-factor/totp.ts'
import { paths } from '#shared/kernel/paths.ts'
import { totpCode } from '#test/helpers/second-factor.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test.use({
  locale: 'es-AR',
  viewport: { width: 390, height: 900 },
  timezoneId: 'America/Argentina/Buenos_Aires',
})

/** The current code, or that of the next half minute: each is valid once. */
const codeOf = (secret: string, later = 0) => totpCode(secret, stepAt(new Date()) + later)

test('an authenticator app is set up by keyboard, and its code required at the next sign-in', async ({
  page,
  org,
  site,
  complaints,
}) => {
  complaints.announce(/400 POST \/api\/auth\/two-factor\/verify-totp/)
  const { email } = org.owner.user
  await page.goto(paths.settingsOf(org.slug, 'account'))
  const card = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await card.getByRole('button', { name: 'Activar' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Activar la verificación en dos pasos' })
  await dialog.getByRole('button', { name: 'Enviarme un código' }).click()
  await expect(dialog.getByLabel('Código del correo')).toBeFocused()
  await dialog.getByLabel('Código del correo').fill(site.mailedCode(email) ?? '')
  await dialog.getByLabel('Código del correo').press('Enter')
  await expect(dialog.getByRole('img', { name: 'Código QR para la aplicación de autenticación' })).toBeVisible()
  const secret = (await dialog.locator('.setup-key code').innerText()).replaceAll(' ', '')
  await expectAccessible(page)
  await picture(page, 'second-factor-scan')
  const code = dialog.getByLabel('Código de la aplicación')
  await expect(code).toBeFocused()
  await code.fill(codeOf(secret))
  await code.press('Enter')
  const kept = page.getByRole('dialog', { name: 'Guardá tus códigos de respaldo' })
  await expect(kept.locator('.backup-codes li')).toHaveCount(10)
  const backup = await kept.locator('.backup-codes code').first().innerText()
  await picture(page, 'second-factor-codes')
  await kept.getByRole('button', { name: 'Ya los guardé' }).press('Enter')
  await expect(card.getByText('Te quedan 10 códigos de respaldo.')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await picture(page, 'second-factor-card')

  await page.context().clearCookies()
  await page.goto(paths.orgLogin(org.slug))
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Correo electrónico').press('Enter')
  await expect(page.getByLabel('Código de seis dígitos')).toBeFocused()
  await page.getByLabel('Código de seis dígitos').fill(site.mailedCode(email) ?? '')
  await expect(page.getByRole('heading', { name: 'Escribí el código de tu aplicación' })).toBeVisible()
  const step = page.getByLabel('Código de seis dígitos')
  await expect(step).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'second-step')
  await step.fill('000000')
  await step.press('Enter')
  await expect(page.getByText('Ese código no es correcto o ya se usó.')).toBeVisible()
  await page.getByRole('button', { name: 'Usar un código de respaldo' }).press('Enter')
  await page.getByLabel('Código de respaldo').fill(backup)
  await page.getByLabel('Código de respaldo').press('Enter')
  await expect(page).toHaveURL(new RegExp(`${paths.chats(org.slug)}$`))
})
