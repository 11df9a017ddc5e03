import { paths } from '#shared/kernel/paths.ts'
import type { AMember } from '#test/helpers/actors.ts'
import { aPerson } from '#test/helpers/actors.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type Page,
  picture,
  type Site,
  signIn,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    locale: 'es-AR',
    email: 'Correo electrónico',
    send: 'Enviar código',
    code: 'Código de seis dígitos',
    person: 'Tu nombre',
    invited: 'Te invitaron a Panadería Don Luis',
    signIn: 'Iniciar sesión',
    accept: /^Aceptar/,
    reject: /^Rechazar/,
    welcome: 'Te damos la bienvenida a Panadería Don Luis',
    expired: 'La invitación venció',
    used: 'La invitación ya se usó',
    rejected: 'Rechazaste la invitación',
    canceled: 'La invitación ya no vale',
    none: 'Esta invitación no existe',
    other: 'Esta invitación es para otro correo',
    change: 'Cambiar de cuenta',
    ask: 'Pedir una nueva',
    asked: /Avisamos a quien te invitó/,
    memberLine: 'Lee y responde conversaciones.',
    company: 'Nombre de la organización',
    slug: 'Dirección web',
    logo: /Logo/,
    create: 'Crear organización',
    saveNext: 'Guardar y seguir',
    simulator: 'Usar el simulador',
    invite: 'Invitar',
    oneInvited: 'Invitación enviada',
    role: 'Rol',
    toChat: 'Ir al chat',
    simulate: 'Simular un mensaje',
    organizations: 'Tus organizaciones',
    search: 'Buscar organización',
    empty: 'Todavía no sos parte de ninguna organización.',
    notImage: /no es una imagen PNG, JPG o WebP/,
    tooBig: /pesa más de 1 MB/,
    taken: /ya está en uso/,
    reserved: /está reservada/,
  },
  en: {
    locale: 'en-GB',
    email: 'E-mail',
    send: 'Send code',
    code: 'Six-digit code',
    person: 'Your name',
    invited: "You're invited to Panadería Don Luis",
    signIn: 'Sign in',
    accept: /^Accept/,
    reject: /^Decline/,
    welcome: 'Welcome to Panadería Don Luis',
    expired: 'The invitation has expired',
    used: 'This invitation has already been used',
    rejected: 'You declined the invitation',
    canceled: 'This invitation is no longer valid',
    none: 'Invitation not found',
    other: 'This invitation is for another address',
    change: 'Switch account',
    ask: 'Ask for a new one',
    asked: /let the person who invited you know/,
    memberLine: 'Reads and replies to conversations.',
    company: 'Organization name',
    slug: 'Web address',
    logo: /Logo/,
    create: 'Create organization',
    saveNext: 'Save and continue',
    simulator: 'Use the simulator',
    invite: 'Invite',
    oneInvited: 'Invitation sent',
    role: 'Role',
    toChat: 'Go to the chat',
    simulate: 'Simulate a message',
    organizations: 'Your organizations',
    search: 'Search organizations',
    empty: "You aren't a member of any organization yet.",
    notImage: /isn't a valid PNG, JPG or WebP/,
    tooBig: /larger than 1 MB/,
    taken: /is taken/,
    reserved: /is reserved/,
  },
} as const

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

const look = async (page: Page, name: string) => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, name)
}

const asOwner = async <Reply>(site: Site, owner: AMember, path: string, body: unknown): Promise<Reply> => {
  const response = await fetch(`${site.url}/api${path}`, {
    method: 'POST',
    headers: { cookie: owner.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Reply
}

const invite = (site: Site, owner: AMember, email: string, role = 'member') =>
  asOwner<{ id: string }>(site, owner, '/auth/organization/invite-member', {
    email,
    role,
    organizationId: owner.org.id,
  })

const expire = (site: Site, id: string) =>
  site.databases.write
    .updateTable('invitation')
    .set({ expiresAt: new Date(Date.now() - 60_000).toISOString() })
    .where('id', '=', id)
    .execute()

const enterWithCode = async (
  page: Page,
  site: Site,
  email: string,
  w: { email: string; send: string; code: string },
) => {
  await page.getByLabel(w.email).fill(email)
  await page.getByRole('button', { name: w.send }).click()
  await expect(page.getByLabel(w.code)).toBeFocused()
  await page.getByLabel(w.code).fill(site.mailedCode(email) ?? 'no letter came')
}

let counter = 0
const freshAddress = (name: string) => {
  counter += 1
  return `${name}${counter}-${process.pid}@example.com`
}

for (const language of inTurn(['es', 'en'] as const))
  for (const size of inTurn(['wide', 'narrow'] as const, 2))
    test.describe(`${language}, ${size}`, () => {
      const w = words[language]
      const options = {
        locale: w.locale,
        viewport: sizes[size],
        colorScheme: size === 'narrow' ? 'dark' : 'light',
      } as const
      test.use({ ...options, installation: 'fresh' })

      test('the first person creates the organization, and a second one joins and sees the same inbox', async ({
        page,
        site,
        another,
      }) => {
        test.slow()
        await page.goto('/login')
        await enterWithCode(page, site, 'luis@example.com', w)
        await expect(page).toHaveURL(/\/company-creation$/)
        await look(page, 'company')
        await page.getByLabel(w.person).fill('Luis Dueño')
        await page.getByLabel(w.company).fill('Panadería Don Luis')
        await page.getByLabel(w.logo).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
        await page.getByRole('button', { name: w.create }).click()
        await page.getByRole('button', { name: w.simulator }).click()
        await expect(page.getByRole('button', { name: w.invite, exact: true })).toBeVisible()
        await page.getByLabel(w.email).fill('Marta@example.com, marta@example.com')
        await page.getByRole('button', { name: w.invite, exact: true }).click()
        await expect(page.getByRole('listitem').filter({ hasText: 'marta@example.com' })).toBeVisible()
        await expect(page.getByText(w.oneInvited)).toBeVisible()
        await expect(page.getByLabel(w.role), 'the role stays chosen').toHaveValue('member')
        await look(page, 'team')
        await page.getByRole('link', { name: w.toChat }).click()
        await expect(page).toHaveURL(paths.chats('panaderia-don-luis'))
        await page.getByRole('button', { name: w.simulate }).click()
        await expect(page.getByRole('link', { name: /Lucía Méndez/ })).toBeVisible()

        const second = await another(undefined, options)
        await second.goto(site.mailedInvitation('marta@example.com'))
        await expect(second.getByRole('heading', { name: w.invited })).toBeVisible()
        await expect(second.getByText('ma•••@…')).toBeVisible()
        await look(second, 'invitation-signed-out')
        await second.getByRole('link', { name: w.signIn }).click()
        await enterWithCode(second, site, 'marta@example.com', w)
        await expect(second.getByText('Luis Dueño')).toBeVisible()
        await expect(second.getByText(w.memberLine)).toBeVisible()
        await look(second, 'invitation-pending')
        await second.getByLabel(w.person).fill('Marta Gómez')
        await second.getByRole('button', { name: w.accept }).click()
        await expect(second.getByRole('heading', { name: w.welcome })).toBeVisible()
        await expect(second).toHaveURL(paths.chats('panaderia-don-luis'))
        await expect(second.getByRole('link', { name: /Lucía Méndez/ })).toBeVisible()

        await second.goto(site.mailedInvitation('marta@example.com'))
        await expect(second, 'a member goes in').toHaveURL(paths.chats('panaderia-don-luis'))
        await page.goto(site.mailedInvitation('marta@example.com'))
        await expect(page, 'so does the member who sent it').toHaveURL(paths.chats('panaderia-don-luis'))
        const nobody = await another(undefined, options)
        await nobody.goto(site.mailedInvitation('marta@example.com'))
        await expect(nobody.getByRole('heading', { name: w.used })).toBeVisible()
        await look(nobody, 'invitation-used')
      })
    })

for (const language of inTurn(['es', 'en'] as const))
  test.describe(language, () => {
    const w = words[language]
    test.use({ locale: w.locale })

    test('an invitation is declined, and a new one requested', { tag: '@nightly' }, async ({ site, another }) => {
      const org = await site.org()
      const email = freshAddress('rosa')
      const rosa = await aPerson({ databases: site.databases, publicUrl: site.url, email, name: 'Rosa' })
      await invite(site, org.owner, email)
      const page = await another()
      await signIn(page.context(), site, rosa)
      // Without its id: the address alone leads to one's own invitation.
      await page.goto(paths.invitation(org.slug))
      await page.getByRole('button', { name: w.reject }).click()
      await expect(page.getByRole('heading', { name: w.rejected })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { name: w.rejected })).toBeVisible()
      await look(page, 'invitation-rejected')
      await page.getByRole('button', { name: w.ask }).click()
      await expect(page.getByText(w.asked)).toBeVisible()
      const notices = await org.call<{ message: string }[]>('GET', '/notify')
      expect(notices.filter(({ message }) => message.includes(email))).toHaveLength(1)
    })

    test('an expired invitation says so to its recipient, who can request a new one once a day', {
      tag: '@nightly',
    }, async ({ site, another, complaints }) => {
      const org = await site.org()
      const email = freshAddress('olga')
      const { id } = await invite(site, org.owner, email)
      await expire(site, id)
      const page = await another()
      await page.goto(paths.invitation(org.slug, id))
      await expect(page.getByRole('heading', { name: w.expired })).toBeVisible()
      await look(page, 'invitation-expired')
      await page.getByRole('button', { name: w.ask }).click()
      await expect(page.getByText(w.asked)).toBeVisible()
      await page.reload()
      complaints.announce(/^429 POST \/api\/verify\/invitations\/\w+\/renewal$/)
      await page.getByRole('button', { name: w.ask }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    })

    test('an invitation for somebody else is never accepted, and changing the account leads back to it', async ({
      site,
      another,
    }) => {
      const org = await site.org({ orgName: 'Panadería Don Luis' })
      const email = freshAddress('nora')
      const { id } = await invite(site, org.owner, email.toUpperCase())
      const eva = await aPerson({ databases: site.databases, publicUrl: site.url, name: 'Eva' })
      const page = await another()
      await signIn(page.context(), site, eva)
      await page.goto(paths.invitation(org.slug, id))
      await expect(page.getByRole('heading', { name: w.other })).toBeVisible()
      await expect(page.getByText('no•••@…')).toBeVisible()
      await expect(page.getByRole('button', { name: w.accept })).toHaveCount(0)
      await look(page, 'invitation-other')
      await page.getByRole('button', { name: w.change }).click()
      await expect(page).toHaveURL(/\/login\?returnTo=/)
      await enterWithCode(page, site, email, w)
      await expect(page.getByRole('heading', { name: w.invited })).toBeVisible()
      await page.getByRole('button', { name: w.accept }).click()
      await expect(page).toHaveURL(paths.chats(org.slug))
    })

    test('invalid links and links of another organization show the same page', { tag: '@nightly' }, async ({
      site,
      another,
    }) => {
      const [org, other] = [await site.org(), await site.org({ orgName: 'Taller Ajeno' })]
      const { id } = await invite(site, org.owner, freshAddress('ada'))
      const page = await another()
      for (const address of [
        paths.invitation(org.slug, 'zzzzzzzzzzzzzzzzzzzzzzzz'),
        paths.invitation(other.slug, id),
        paths.invitation(org.slug, '<script>alert(1)</script>'),
        `/org/${org.slug}/invitation?id=`,
      ]) {
        await page.goto(address)
        await expect(page.getByRole('heading', { name: w.none })).toBeVisible()
      }
      await look(page, 'invitation-none')
      await page.goto(paths.invitation(org.slug))
      await expect(page, 'without an id one has to say who one is').toHaveURL(/\/login\?returnTo=/)
    })

    test('the organization list: none, invited, one, many', { tag: '@nightly' }, async ({ site, another }) => {
      const email = freshAddress('ines')
      const ines = await aPerson({ databases: site.databases, publicUrl: site.url, email, name: 'Inés' })
      const page = await another()
      await page.goto(paths.organizations())
      await expect(page).toHaveURL(/\/login\?returnTo=%2Forganizations/)
      await signIn(page.context(), site, ines)
      await page.goto(paths.organizations())
      await expect(page.getByText(w.empty)).toBeVisible()
      await look(page, 'organizations-none')

      const org = await site.org()
      await invite(site, org.owner, email, 'admin')
      const second = await site.org({ orgName: 'Segunda' })
      await invite(site, second.owner, email)
      await page.reload()
      const cards = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: w.accept }) })
      await expect(cards).toHaveCount(2)
      await look(page, 'organizations-invited')
      await cards.filter({ hasText: 'Segunda' }).getByRole('button', { name: w.reject }).click()
      await expect(cards).toHaveCount(1)
      await cards.getByRole('button', { name: w.accept }).click()
      await expect(page).toHaveURL(paths.chats(org.slug))

      await page.goto(paths.organizations())
      await expect(page, 'with one there is nothing to choose').toHaveURL(paths.chats(org.slug))

      const at = new Date().toISOString()
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const more = await site.org({ connected: false, orgName: `Sucursal ${n}` })
        await site.databases.write
          .insertInto('member')
          .values({
            id: `${ines.user.id}-${n}`,
            organizationId: more.owner.org.id,
            userId: ines.user.id,
            role: 'member',
            createdAt: at,
          })
          .execute()
      }
      await org.customer(1).says('Hola')
      await org.until<{ items: unknown[] }>('/whatsapp/conversations', ({ items }) => items.length === 1)
      await page.goto(paths.organizations())
      const rows = page.getByRole('list', { name: w.organizations }).getByRole('listitem')
      await expect(rows).toHaveCount(9)
      await expect(rows.filter({ hasText: 'Panadería' })).toContainText('1')
      await look(page, 'organizations-many')
      await page.getByLabel(w.search).fill('SUCURSAL 7')
      await expect(rows).toHaveCount(1)
      await rows.getByRole('link').click()
      await expect(page).toHaveURL(/\/org\/sucursal-7-\w+\/c$/)
    })

    test('taken or reserved addresses and invalid logos are reported next to their field', {
      tag: '@nightly',
    }, async ({ site, another }) => {
      const org = await site.org()
      const admin = await aPerson({
        databases: site.databases,
        publicUrl: site.url,
        siteRole: 'admin',
        name: 'Ada Admin',
      })
      const page = await another(undefined, { viewport: sizes.narrow })
      await signIn(page.context(), site, admin)
      await page.goto(paths.companyCreation())
      await page.getByLabel(w.company).fill('Recado')
      await expect(page.getByText(w.reserved)).toBeVisible()
      await page.getByLabel(w.slug, { exact: true }).fill(org.slug)
      await expect(page.getByText(w.taken)).toBeVisible()
      const file = page.getByLabel(w.logo)
      await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
      await expect(page.getByText(w.notImage)).toBeVisible()
      await file.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(1024 * 1024 + 1) })
      await expect(page.getByText(w.tooBig)).toBeVisible()
      await look(page, 'company-faults')

      await page.getByLabel(w.slug, { exact: true }).fill(`nuevo-${process.pid}-${language}`)
      await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
      await expect(page.getByText(w.tooBig)).toHaveCount(0)
      await page.getByRole('button', { name: w.create }).click()
      await expect(page.getByRole('button', { name: w.simulator })).toBeVisible()
      await look(page, 'number')
      // A returning person continues where they were, and can correct earlier steps.
      await page.goto(`${page.url().split('&')[0]}&step=company`)
      await expect(page.getByLabel(w.company)).toHaveValue('Recado')
      await page.getByLabel(w.company).fill('Recado Sur')
      await page.getByRole('button', { name: w.saveNext }).click()
      await expect(page.getByRole('button', { name: w.simulator })).toBeVisible()
      await expect(page.getByText('Recado Sur')).toBeVisible()
    })
  })
