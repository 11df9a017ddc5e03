import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    width: 1440,
    scheme: 'light',
    add: 'Crear usuario y contraseña',
    username: 'Usuario',
    password: 'Contraseña',
    save: 'Guardar',
    short: 'La contraseña tiene que tener al menos 10 caracteres.',
    sendCode: 'Enviarme un código',
    code: 'Código del correo',
    withPassword: 'Entrar con usuario y contraseña',
    name: 'Usuario o correo',
    enter: 'Entrar',
    wrong: 'El usuario o la contraseña no son correctos.',
  },
  en: {
    locale: 'en-GB',
    width: 390,
    scheme: 'dark',
    add: 'Create username and password',
    username: 'Username',
    password: 'Password',
    save: 'Save',
    short: 'The password must have at least 10 characters.',
    sendCode: 'Send me a code',
    code: 'E-mailed code',
    withPassword: 'Sign in with username and password',
    name: 'Username or e-mail',
    enter: 'Sign in',
    wrong: "The username or password isn't correct.",
  },
} as const

for (const [language, w] of inTurn(Object.entries(words)))
  test.describe(`${language} at ${w.width}, ${w.scheme}`, () => {
    test.use({
      locale: w.locale,
      viewport: { width: w.width, height: 900 },
      colorScheme: w.scheme,
      timezoneId: 'America/Argentina/Buenos_Aires',
    })

    test('a password is set, and signs in again', async ({ page, org, site, browser, contextOptions, complaints }) => {
      complaints.announce(/401 POST \/api\/auth\/sign-in\/username/)
      const secret = 'tres medialunas y un cortado'
      const username = `ana.${language}`
      await page.goto(paths.settingsOf(org.slug, 'account'))
      await page.getByRole('button', { name: w.add }).press('Enter')
      const dialog = page.getByRole('dialog', { name: w.add })
      await expectAccessible(page)
      await dialog.getByLabel(w.username, { exact: true }).fill(username)
      const field = dialog.getByLabel(w.password, { exact: true })
      await expect(field).toHaveAttribute('type', 'password')
      await expect(field).toHaveAttribute('autocomplete', 'new-password')
      await field.fill('corta')
      await dialog.getByRole('button', { name: w.save }).click()
      await expect(dialog.getByText(w.short)).toBeVisible()
      await picture(page, `password-faults-${language}`)
      await dialog.getByLabel(w.password, { exact: true }).fill(secret)
      await dialog.getByRole('button', { name: w.sendCode }).click()
      await expect(dialog.getByLabel(w.code)).toBeFocused()
      await dialog.getByLabel(w.code).fill(site.mailedCode(org.owner.user.email) ?? '')
      await picture(page, `password-dialog-${language}`)
      await dialog.getByLabel(w.code).press('Enter')
      await expect(dialog).toBeHidden()
      await expect(page.getByText(username, { exact: true })).toBeVisible()
      await expectNoSidewaysScroll(page)
      await picture(page, `password-card-${language}`)

      const elsewhere = await (await browser.newContext(contextOptions)).newPage()
      complaints.watch(elsewhere.context())
      await elsewhere.goto(`${site.url}${paths.orgLogin(org.slug)}`)
      await elsewhere.getByRole('link', { name: w.withPassword }).click()
      await elsewhere.getByLabel(w.name).fill(username)
      await elsewhere.getByLabel(w.password, { exact: true }).fill('no es esta')
      await elsewhere.getByLabel(w.password, { exact: true }).press('Enter')
      await expect(elsewhere.getByText(w.wrong)).toBeVisible()
      await expect(elsewhere.getByLabel(w.password, { exact: true })).toBeFocused()
      await expectAccessible(elsewhere)
      await expectNoSidewaysScroll(elsewhere)
      await picture(elsewhere, `password-login-${language}`)
      await elsewhere.getByLabel(w.password, { exact: true }).fill(secret)
      await elsewhere.getByRole('button', { name: w.enter, exact: true }).click()
      await expect(elsewhere).toHaveURL(new RegExp(`${paths.chats(org.slug)}$`))
      await elsewhere.context().close()
    })
  })
