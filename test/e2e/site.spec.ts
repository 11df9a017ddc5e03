import { paths } from '#shared/kernel/paths.ts'
import { aPerson } from '#test/helpers/actors.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, tabTo, test } from './fixtures.ts'

test.use({ locale: 'es-AR', viewport: { width: 1440, height: 900 } })

test('a site administrator finds a person, sees the product as them, and bans them', async ({
  org,
  site,
  another,
  complaints,
}) => {
  const admin = await aPerson({
    databases: site.databases,
    publicUrl: site.url,
    siteRole: 'admin',
    name: 'Sara Sitio',
  })
  const beto = await org.colleague('Beto Bloqueable', 'developer')
  // A page whose session ends gets 401.
  complaints.announce(/^401 GET/)
  const page = await another(admin as never)
  await page.goto(paths.organizations())
  await page.getByRole('link', { name: 'Administración del sitio' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Administración del sitio' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Buscar por nombre o correo' })
  await search.fill('bloqueable')
  await search.press('Enter')
  await expect(page).toHaveURL(/search=bloqueable/)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Beto Bloqueable' }) })
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('list')).toContainText(org.owner.org.name)
  await expectAccessible(page)
  await picture(page, 'people')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await picture(page, 'people-narrow-dark')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })

  const choose = async (item: string) => {
    await row.getByRole('button', { name: 'Acciones sobre Beto Bloqueable' }).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
  }
  await choose('Ver como esta persona')
  const asking = page.getByRole('dialog', { name: 'Ver Recado como Beto Bloqueable' })
  await expect(asking).toContainText('una hora')
  await asking.getByRole('button', { name: 'Ver como esta persona' }).press('Enter')
  const bar = page.getByRole('complementary', { name: 'Ver como otra persona' })
  await expect(bar).toContainText('Estás viendo Recado como Beto Bloqueable')
  await expect(page).toHaveURL(new RegExp(`/org/${org.slug}/`))
  await page.goto(paths.settingsOf(org.slug, 'account'))
  await expect(bar, 'on every page').toBeVisible()
  await expectAccessible(page)
  await picture(page, 'as-somebody-else')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'as-somebody-else-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  // Neither the ending stream nor the changed viewer may redirect elsewhere while the next page loads.
  const elsewhere: string[] = []
  page.on('framenavigated', frame => void (/admin/.test(frame.url()) || elsewhere.push(frame.url())))
  await bar.getByRole('button', { name: 'Volver a mi cuenta' }).press('Enter')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('dejó de ver Recado como')).toBeVisible()
  expect(elsewhere).toEqual([])

  const theirs = await another(beto)
  await theirs.goto(paths.settingsOf(org.slug, 'profile'))
  await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`${paths.siteAdmin()}?search=bloqueable`)
  await choose('Suspender')
  const ban = page.getByRole('dialog', { name: 'Suspender a Beto Bloqueable' })
  await ban.getByRole('button', { name: 'Suspender' }).press('Enter')
  await expect(ban.getByText('Escribí un motivo')).toBeVisible()
  await ban.getByLabel('Motivo').fill('Perdió el teléfono')
  await ban.getByLabel('Por cuánto tiempo').selectOption('7')
  await expectAccessible(page)
  await picture(page, 'ban')
  await ban.getByRole('button', { name: 'Suspender' }).press('Enter')
  await expect(row.getByText(/Suspendida hasta/)).toBeVisible()
  await expect(row).toContainText('Motivo: Perdió el teléfono')
  await expect(theirs).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Solo suspendidas' }).press('Enter')
  await expect(page).toHaveURL(/banned=true/)
  await choose('Levantar la suspensión')
  await expect(page.getByText('No hay nadie que coincida.')).toBeVisible()
})

test('other members cannot open the site administration', { tag: '@nightly' }, async ({ page, org }) => {
  await page.goto(`/org/${org.slug}/settings`)
  await page.goto(paths.siteAdmin())
  await expect(page).toHaveURL(/\/unauthorized/)
})

test.describe('in English', () => {
  test.use({ locale: 'en-GB' })

  test('sessions are ended one by one, and each dialog of the site administration works by keyboard alone', {
    tag: '@nightly',
  }, async ({ org, site, another, complaints }) => {
    const { databases } = site
    const admin = await aPerson({
      databases,
      publicUrl: site.url,
      siteRole: 'admin',
      name: 'Sara Site',
      language: 'en',
    })
    const name = `Bella ${org.slug}`
    const bella = await org.colleague(name, 'developer')
    complaints.announce(/^401 GET/)
    const theirs = await another(bella)
    await theirs.goto(paths.settingsOf(org.slug, 'profile'))
    await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible()
    const page = await another(admin as never)
    await page.goto(`${paths.siteAdmin()}?search=${org.slug}`)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    const choose = async (item: string) => {
      await tabTo(page, row.getByRole('button', { name: `Actions for ${name}` }))
      await page.keyboard.press('Enter')
      const entry = page.getByRole('menuitem', { name: item, exact: true })
      for (let i = 0; i < 8 && !(await entry.evaluate(node => node === document.activeElement)); i += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    /** Opens the dialog, checks it, and closes it. */
    const look = async (item: string, title: string) => {
      await choose(item)
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await look('View Recado as this person', `View Recado as ${name}`)
    await look('Sign out everywhere', `Sign ${name} out everywhere`)
    await look('Make site administrator', `Make ${name} a site administrator`)
    await choose('Suspend')
    const ban = page.getByRole('dialog', { name: `Suspend ${name}` })
    await tabTo(page, ban.getByRole('button', { name: 'Suspend' }))
    await page.keyboard.press('Enter')
    await expect(ban.getByText('Enter a reason')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(ban).toHaveCount(0)

    await choose('View sessions')
    const sessions = page.getByRole('dialog', { name: `Sessions of ${name}` })
    const one = sessions.getByRole('listitem')
    await expect(one).toHaveCount(1)
    await expect(one).toContainText(/Used: /)
    await expectAccessible(page)
    await picture(page, 'sessions')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await picture(page, 'sessions-narrow-dark')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await tabTo(page, one.getByRole('button', { name: /^Sign out: / }))
    await page.keyboard.press('Enter')
    await expect(sessions.getByText('No active sessions')).toBeVisible()
    await expect(theirs, 'is out at once').toHaveURL(/\/login/)
    await tabTo(page, sessions.getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Enter')
    await expect(sessions).toHaveCount(0)
    await expect(page.getByText('signed out a session of').first()).toBeVisible()
  })
})
