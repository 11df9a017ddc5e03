import { paths } from '#shared/kernel/paths.ts'
import { expect, type Page, signIn, test } from './fixtures.ts'

/** The response to the first request, not followed: a guard that shows the page briefly would answer 200 here. */
const firstAnswer = async (page: Page, path: string) => {
  const response = await page.request.get(path, { maxRedirects: 0, headers: { accept: 'text/html' } })
  return { status: response.status(), location: response.headers().location, body: await response.text() }
}
const isRedirect = (status: number) => status >= 300 && status < 400

test('a visitor without a session is redirected to the sign-in before any page, and returns afterwards', async ({
  page,
  site,
  complaints,
}) => {
  complaints.announce(/^400 POST \/api\/auth\/sign-in\/email-otp$/)
  const org = await site.org()
  const customer = org.customer(1, 'Lucía Méndez')
  await customer.says('Hola')
  const wanted = `${paths.chat(org.slug, customer.phone)}?q=hola`
  const { status, location, body } = await firstAnswer(page, wanted)
  expect(isRedirect(status)).toBe(true)
  expect(location).toBe(paths.login(wanted))
  expect(body).not.toContain('Lucía')

  await page.goto(wanted)
  await expect(page).toHaveURL(paths.login(wanted))
  await page.getByLabel('Correo electrónico').fill(org.owner.user.email)
  await page.getByRole('button', { name: 'Enviar código' }).click()
  await page.getByLabel('Código de seis dígitos').fill('000000')
  await expect(page.getByLabel('Código de seis dígitos')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Código de seis dígitos').fill(site.mailedCode(org.owner.user.email) ?? 'no letter came')
  await expect(page).toHaveURL(wanted)
  await expect(page.getByRole('heading', { name: 'Lucía Méndez' })).toBeVisible()
})

test('another organization’s address and an unknown one are refused alike, before any page', async ({
  page,
  org,
  site,
}) => {
  const other = await site.org({ orgName: 'Ferretería Secreta' })
  await other.customer(1, 'Cliente Ajeno').says('Hola')
  const answers = []
  for (const slug of [other.slug, 'nobody-has-this'])
    for (const path of [paths.chats(slug), paths.chat(slug, other.customer(1).phone)])
      answers.push(await firstAnswer(page, path))
  for (const { status, location, body } of answers) {
    expect(isRedirect(status)).toBe(true)
    expect(location).toBe('/unauthorized')
    expect(body).not.toMatch(/Ajeno|Secreta/)
  }
  await page.goto(paths.chats(other.slug))
  await expect(page.getByRole('heading', { name: 'No tenés acceso a esta página' })).toBeVisible()
  // With one organization there is nothing to choose.
  await page.getByRole('link', { name: 'Ver mis organizaciones' }).click()
  await expect(page).toHaveURL(paths.chats(org.slug))
})

test('a signed-in person is not asked to sign in', { tag: '@nightly' }, async ({ page, org }) => {
  await page.goto('/login')
  await expect(page).toHaveURL(paths.chats(org.slug))
  await page.goto('/login?returnTo=https://evil.example')
  await expect(page).toHaveURL(paths.chats(org.slug))
  await page.goto('/')
  await expect(page).toHaveURL(paths.chats(org.slug))
})

test('signing out leads to the organization’s sign-in, in every tab', { tag: '@nightly' }, async ({
  page,
  org,
  context,
  openInbox,
  complaints,
}) => {
  complaints.announce(/^401 GET \/api\//)
  const second = await context.newPage()
  await openInbox()
  await second.goto(paths.chats(org.slug))
  await page.getByRole('button', { name: /Ana Prueba/ }).click()
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(paths.orgLogin(org.slug))
  await expect(second).toHaveURL(/\/login/)
  await page.goto(paths.chats(org.slug))
  await expect(page).toHaveURL(paths.login(paths.chats(org.slug)))
})

test('a session ended elsewhere leads the open page to the sign-in and back', async ({
  page,
  org,
  site,
  openInbox,
  another,
  complaints,
}) => {
  complaints.announce(/^401 /)
  await openInbox()
  const elsewhere = await another()
  await signIn(elsewhere.context(), site, org.owner)
  const answer = await elsewhere.request.post('/api/auth/sign-out', { data: {} })
  expect(answer.status()).toBe(200)
  await expect(page).toHaveURL(paths.login(paths.chats(org.slug)), { timeout: 30_000 })
})
