/** An organization that requires single sign-on, set up by keyboard alone. */
import { paths } from '#shared/kernel/paths.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type Org,
  picture,
  type Site,
  tabTo,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'

test.use({ viewport: { width: 1440, height: 900 } })

/** An active provider with a verified domain of the organization. */
const giveProvider = async (site: Site, org: Org, providerId: string) => {
  const domain = `levadura-${org.slug}.example`
  const organizationId = org.owner.org.id
  await org.call('POST', '/auth/sso/register', {
    providerId,
    domain,
    organizationId,
    issuer: `https://${domain}`,
    authorizationEndpoint: `https://${domain}/authorize`,
    tokenEndpoint: `https://${domain}/token`,
    jwksEndpoint: `https://${domain}/jwks`,
    clientId: 'recado',
    clientSecret: 'un-secreto-largo',
  })
  const { to } = await org.call<{ to: string }>('POST', '/sso/domain-code', { providerId, mailbox: 'postmaster' })
  await org.call('POST', '/auth/sso/verify-domain', { providerId, code: site.mailedLongCode(to) })
}

const words = {
  'es-AR': {
    providerId: 'recado-solos',
    open: 'Configurar SSO',
    demand: 'Entrar solo con SSO',
    hint: 'Nadie ve la organización sin haber entrado con SSO, salvo vos: conservás las otras formas de entrar, para emergencias.',
    without: '1 miembro todavía no entró con SSO.',
    ask: '¿Entrar solo con SSO?',
    consequence: '1 miembro todavía no entró con SSO: la próxima vez lo va a necesitar.',
    ends: 'Quien haya entrado de otra forma pierde el acceso enseguida, hasta que entre con SSO.',
    keys: 'Las API keys siguen funcionando.',
    confirm: 'Entrar solo con SSO',
    on: 'Desde ahora se entra solo con SSO',
    off: 'Se vuelve a entrar de todas las formas',
    demanded: 'A esta organización se entra solo con SSO.',
    others: 'Mis organizaciones',
    email: 'Correo electrónico',
    code: 'Código de seis dígitos',
  },
  'en-GB': {
    providerId: 'recado-alone',
    open: 'Set up SSO',
    demand: 'Require SSO',
    hint: 'No one can open the organization without signing in with SSO, except you: you keep the other ways of signing in, for emergencies.',
    without: "1 member hasn't signed in with SSO yet.",
    ask: 'Require SSO?',
    consequence: "1 member hasn't signed in with SSO yet and will have to next time.",
    ends: 'Anyone signed in another way loses access immediately, until they sign in with SSO.',
    keys: 'API keys keep working.',
    confirm: 'Require SSO',
    on: 'SSO is now required',
    off: 'SSO is no longer required',
    demanded: 'This organization requires SSO.',
    others: 'My organizations',
    email: 'E-mail',
    code: 'Six-digit code',
  },
} as const

for (const [locale, says] of inTurn(Object.entries(words)))
  test.describe(locale, () => {
    test.use({ locale })

    test('a member signed in otherwise is locked out, the owner is not, and the rule can be revoked', async ({
      page,
      org,
      site,
      another,
      complaints,
    }) => {
      complaints.announce(/^403 GET \/api\//)
      await giveProvider(site, org, says.providerId)
      const vera = await another(await org.colleague('Vera Núñez'))
      await vera.goto(paths.chats(org.slug))
      await expect(vera).toHaveURL(new RegExp(`${paths.chats(org.slug)}$`))

      await page.goto(paths.org(org.slug))
      await tabTo(page, page.getByRole('button', { name: says.open, exact: true }))
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: says.open, exact: true })
      const demand = dialog.getByRole('checkbox', { name: says.demand, exact: true })
      await expect(dialog.getByText(says.hint, { exact: true })).toBeVisible()
      await expect(dialog.getByText(says.without, { exact: true })).toBeVisible()
      const ask = async () => {
        await tabTo(page, demand)
        await page.keyboard.press('Space')
        return page.getByRole('dialog', { name: says.ask, exact: true })
      }
      const asking = await ask()
      for (const said of [says.consequence, says.ends, says.keys])
        await expect(asking.getByText(said, { exact: true })).toBeVisible()
      await expectAccessible(page)
      await picture(page, `asking-${locale}`)
      await page.keyboard.press('Escape')
      await expect(asking, 'who turns back changes nothing').toHaveCount(0)
      await expect(demand).not.toBeChecked()
      await expect(demand, 'back where it was').toBeFocused()
      await ask()
      await tabTo(page, asking.getByRole('button', { name: says.confirm, exact: true }))
      await page.keyboard.press('Enter')
      await expect(page.getByText(says.on, { exact: true })).toBeVisible()
      await expect(demand).toBeChecked()

      await vera.goto(paths.chats(org.slug))
      await expect(vera).toHaveURL(new RegExp(`${paths.orgLogin(org.slug)}`))
      await expect(vera.getByText(says.demanded, { exact: true })).toBeVisible()
      await expect(vera.getByRole('link', { name: says.others, exact: true })).toBeVisible()
      await expectAccessible(vera)
      await vera.setViewportSize({ width: 390, height: 800 })
      await expectNoSidewaysScroll(vera)
      await picture(vera, `outside-${locale}`)

      const nobody = await another()
      await nobody.goto(`${paths.orgLogin(org.slug)}?sso=untrusted`)
      const fault = await nobody.getByRole('alert').boundingBox()
      const offered = await nobody.getByRole('button').first().boundingBox()
      const heading = await nobody.getByRole('heading', { level: 1 }).boundingBox()
      expect(fault && offered && heading, 'what went wrong, the provider, the other ways').toBeTruthy()
      if (fault && offered && heading) {
        expect(offered.y - fault.y - fault.height).toBeGreaterThanOrEqual(12)
        expect(heading.y - offered.y - offered.height).toBeGreaterThanOrEqual(12)
      }
      await expectAccessible(nobody)
      await picture(nobody, `login-${locale}`)

      // An existing account needs a code before the provider, whatever the domain of its address.
      const address = `vera@levadura-${org.slug}.example`
      const email = nobody.getByLabel(says.email, { exact: true })
      await nobody.goto(`${paths.orgLogin(org.slug)}?sso=untrusted`)
      await email.fill(address)
      await email.press('Enter')
      await expect(nobody.getByRole('heading', { level: 1 }), 'the provider is offered').toBeFocused()
      await nobody.goto(`${paths.orgLogin(org.slug)}?sso=ownSignIn`)
      await email.fill(address)
      await email.press('Enter')
      await expect(nobody.getByLabel(says.code, { exact: true })).toBeFocused()

      await page.reload()
      await expect(page.getByRole('heading', { level: 1 }), 'the owner keeps the other ways').toHaveText(
        org.owner.org.name,
      )
      await tabTo(page, page.getByRole('button', { name: says.open, exact: true }))
      await page.keyboard.press('Enter')
      await expect(demand).toBeChecked()
      await tabTo(page, demand)
      await page.keyboard.press('Space')
      await expect(page.getByText(says.off, { exact: true })).toBeVisible()
      await expect(demand).not.toBeChecked()
      await vera.goto(paths.chats(org.slug))
      await expect(vera).toHaveURL(new RegExp(`${paths.chats(org.slug)}$`))
    })
  })
