import { newId } from '#server/platform/crypto/ids.ts'
import { paths } from '#shared/kernel/paths.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  intercept,
  type Org,
  type Page,
  picture,
  type Site,
  test,
} from './fixtures.ts'
import { inTurn } from './in-turn.ts'
import { looks } from './looks.ts'

const words = {
  es: {
    chat: 'Chat',
    sections: ['Chat', 'Plantillas', 'Flujo', 'Estadísticas', 'Integraciones', 'Configuración'],
    toggle: 'Mostrar u ocultar el menú',
    theme: 'Cambiar tema',
    dark: 'Oscuro',
    signOut: 'Cerrar sesión',
    account: 'Cuenta',
  },
  en: {
    chat: 'Chat',
    sections: ['Chat', 'Templates', 'Flow', 'Statistics', 'Integrations', 'Settings'],
    toggle: 'Show or hide the menu',
    theme: 'Toggle theme',
    dark: 'Dark',
    signOut: 'Sign out',
    account: 'Account',
  },
} as const

const pagesOf = ({ slug }: Org) => [
  paths.org(slug),
  paths.chats(slug),
  paths.bulk(slug),
  paths.templates(slug),
  paths.templateCreate(slug),
  paths.flows(slug),
  paths.stats(slug),
  paths.integrations(slug),
  paths.settingsOf(slug, 'organization'),
  paths.settingsOf(slug, 'account'),
  paths.settingsOf(slug, 'profile'),
]

/** Another organization of the same person. */
const secondOrg = async (site: Site, org: Org, name: string) => {
  const other = await aMember({ databases: site.databases, orgName: name })
  await site.databases.write
    .insertInto('member')
    .values({
      id: newId(),
      organizationId: other.org.id,
      userId: org.owner.user.id,
      role: 'owner',
      createdAt: new Date().toISOString(),
    })
    .execute()
  return other.org
}

/** The token in the mail's link. */
const tokenOf = async (site: Site, userId: string): Promise<string> => {
  const { identifier } = await site.databases.read
    .selectFrom('verification')
    .where('value', '=', userId)
    .where('identifier', 'like', 'delete-account-%')
    .select('identifier')
    .executeTakeFirstOrThrow()
  return identifier.slice('delete-account-'.length)
}

/** Records the layout shifts of the page. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const counter = window as unknown as { shifted: number }
    counter.shifted = 0
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) counter.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shifted = (page: Page) => page.evaluate(() => (window as unknown as { shifted: number }).shifted)

/** Waits until its scripts run and keys are handled. */
const visit = async (page: Page, path: string) => {
  await page.goto(path)
  await page.locator('.tooltip').waitFor({ state: 'attached' })
}

const frame = (page: Page) => page.locator('.app')
const side = (page: Page) => page.locator('#sidebar')

const inLook = ({ language, width }: { language: keyof typeof words; width: number }) => ({
  locale: language === 'es' ? 'es-AR' : 'en-GB',
  viewport: { width, height: width === 390 ? 844 : 900 },
})

for (const { language, theme, size } of inTurn(looks)) {
  const width = size === 'wide' ? 1440 : 390
  test.describe(`${language} at ${width}`, () => {
    test.use(inLook({ language, width }))

    test(`every page has a title, no layout shift and no accessibility violation, ${theme}`, async ({ page, org }) => {
      test.setTimeout(180_000)
      await page.emulateMedia({ colorScheme: theme })
      await watchShifts(page)
      for (const path of pagesOf(org)) {
        await page.goto(path)
        await expect(page).toHaveTitle(/ · Recado$/)
        await expect(page.locator('.app-content .skeleton')).toHaveCount(0)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        expect(await shifted(page), `moved on ${path}`).toBeLessThanOrEqual(0.02)
        await picture(page, `${path.replaceAll('/', '_')}-${theme}-${language}-${width}`)
      }
    })

    test('six sections are at most two clicks apart, and the breadcrumb names the current one', async ({
      page,
      org,
    }) => {
      const say = words[language]
      await visit(page, paths.chats(org.slug))
      for (const name of [...say.sections].reverse()) {
        if (width === 390) await page.getByRole('button', { name: say.toggle }).click()
        await side(page).getByRole('link', { name, exact: true }).click()
        await expect(page.locator('.crumbs')).toContainText(name)
        if (width === 390) await expect(side(page)).toBeHidden()
      }
    })
  })
}

test('the simulator is a discreet seventh section for organizations on it, linked from the empty inbox', {
  tag: '@nightly',
}, async ({ page, org, another, site }) => {
  await visit(page, paths.chats(org.slug))
  await page.locator('.app-content').getByRole('link', { name: 'Abrir el simulador' }).click()
  await expect(page).toHaveURL(paths.simulator(org.slug))
  await expect(side(page).getByRole('link', { name: 'Simulador' })).toHaveAttribute('aria-current', 'page')
  const cloud = await site.org({ connected: false })
  const elsewhere = await another(cloud.owner)
  await visit(elsewhere, paths.chats(cloud.slug))
  await expect(side(elsewhere).getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
  await expect(side(elsewhere).getByRole('link', { name: 'Simulador' })).toHaveCount(0)
})

test('the sidebar collapses by button and keys, and keeps its state', async ({ page, context, org }) => {
  await visit(page, paths.chats(org.slug))
  await expect(frame(page)).toHaveAttribute('data-sidebar', 'auto')
  expect((await side(page).boundingBox())?.width).toBe(256)
  await page.keyboard.press('Control+b')
  await expect(frame(page)).toHaveAttribute('data-sidebar', 'icons')
  expect((await side(page).boundingBox())?.width).toBe(48)
  const kept = (await context.cookies()).find(({ name }) => name === 'sidebar:state')
  expect(kept?.value).toBe('false')
  expect(Math.abs((kept?.expires ?? 0) - Date.now() / 1000 - 604_800)).toBeLessThan(60)
  await page.reload()
  await expect(frame(page)).toHaveAttribute('data-sidebar', 'icons')
  await side(page).getByRole('link', { name: 'Estadísticas' }).hover()
  await expect(page.locator('.tooltip')).toHaveText('Estadísticas')
  await page.getByRole('button', { name: 'Mostrar u ocultar el menú' }).click()
  await expect(frame(page)).toHaveAttribute('data-sidebar', 'wide')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the sidebar is a sheet that opens, closes and returns the focus', { tag: '@nightly' }, async ({
    page,
    org,
  }) => {
    await visit(page, paths.stats(org.slug))
    await expect(side(page)).toBeHidden()
    const opener = page.getByRole('button', { name: 'Mostrar u ocultar el menú' })
    await opener.click()
    await expect(side(page)).toBeVisible()
    expect((await side(page).boundingBox())?.width).toBeCloseTo(288)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(side(page)).toBeHidden()
    await expect(opener).toBeFocused()
  })
})

test('organizations are switched by mouse and by number key, within the same section', { tag: '@nightly' }, async ({
  page,
  org,
  site,
}) => {
  const norte = await secondOrg(site, org, 'Zona Norte')
  await visit(page, paths.stats(org.slug))
  await page.getByRole('button', { name: /Panadería Don Luis/ }).click()
  await expectAccessible(page)
  await page.getByRole('link', { name: /Zona Norte/ }).click()
  await expect(page).toHaveURL(paths.stats(norte.slug))
  await expect(side(page).getByRole('button', { name: /Zona Norte/ })).toBeVisible()
  await page.keyboard.press('Control+1')
  await expect(page).toHaveURL(paths.stats(org.slug))
})

test('a failed switch of organization shows an error and changes nothing', { tag: '@nightly' }, async ({
  page,
  org,
  site,
  complaints,
}) => {
  complaints.announce(/500 POST \/api\/auth\/organization\/set-active/)
  await secondOrg(site, org, 'Zona Norte')
  await visit(page, paths.stats(org.slug))
  await intercept(page, '**/api/auth/organization/set-active', route => route.fulfill({ status: 500, body: '{}' }))
  await page.keyboard.press('Control+2')
  await expect(page.getByText('Error al cambiar de organización')).toBeVisible()
  await expect(page).toHaveURL(paths.stats(org.slug))
})

test('two tabs on two organizations stay separate', async ({ page, context, org, site }) => {
  const norte = await secondOrg(site, org, 'Zona Norte')
  await visit(page, paths.org(org.slug))
  const other = await context.newPage()
  await visit(other, paths.org(norte.slug))
  await page.keyboard.press('Control+b')
  await expect(page.getByRole('heading', { name: 'Panadería Don Luis' })).toBeVisible()
  await side(page).getByRole('link', { name: 'Configuración' }).click()
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Panadería Don Luis')
  await side(other).getByRole('link', { name: 'Configuración' }).click()
  await expect(other.getByLabel('Nombre', { exact: true })).toHaveValue('Zona Norte')
})

test('a new name and address of the organization apply at once, everywhere on the page', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/^400 POST \/api\/auth\/organization\/update/)
  await visit(page, paths.settingsOf(org.slug, 'organization'))
  const address = `nueva-${newId().slice(-8)}`
  await page.getByLabel('Nombre', { exact: true }).fill('Panadería Nueva')
  await page.getByLabel('Dirección web').fill(address)
  const form = page.locator('form', { has: page.getByLabel('Dirección web') })
  const save = form.getByRole('button', { name: 'Guardar' })
  await save.click()
  await expect(page).toHaveURL(paths.settingsOf(address, 'organization'))
  await expect(side(page)).toContainText('Panadería Nueva')
  await page.getByLabel('Dirección web').fill('admin')
  await save.click()
  await expect(page.locator('.field-error')).toBeVisible()
})

test('signing out confirms it and leads to the organization’s sign-in', async ({ page, context, org, complaints }) => {
  // The other page may still be loading.
  complaints.announce(/^401 GET \/api\//)
  await visit(page, paths.chats(org.slug))
  const other = await context.newPage()
  await visit(other, paths.stats(org.slug))
  const opener = side(page).getByRole('button', { name: org.owner.user.name })
  await opener.focus()
  // Faster than the menu focuses its first item.
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('End')])
  await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Cerrando sesión…')).toBeVisible()
  await expect(page).toHaveURL(paths.orgLogin(org.slug))
  await expect(other).toHaveURL(/\/login/)
})

test('sessions are listed, and one is ended from another', { tag: '@nightly' }, async ({
  page,
  org,
  site,
  another,
  complaints,
}) => {
  complaints.announce(/^401 (?:GET|POST) \/api\//)
  const { user } = org.owner
  const { databases } = site
  const elsewhere = await aPerson({ databases })
  const session = databases.write.updateTable('session').where('id', '=', elsewhere.person.sessionId)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await session.set({ userId: user.id, userAgent, ipAddress: '203.0.113.9' }).execute()
  const other = await another({ ...org.owner, ...elsewhere })
  await visit(other, paths.stats(org.slug))
  await visit(page, paths.settingsOf(org.slug, 'account'))
  const places = page.getByRole('region', { name: 'Sesiones' }).getByRole('listitem')
  await expect(places).toHaveCount(2)
  await expect(places.filter({ hasText: 'Esta sesión' })).toHaveCount(1)
  await expect(places.filter({ hasText: 'Firefox en Linux' })).toContainText('203.0.113.9')
  await expectAccessible(page)
  await picture(page, 'sessions')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'sessions-390')
  await page.getByRole('button', { name: 'Cerrar la sesión de Firefox en Linux' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('La sesión quedó cerrada')).toBeVisible()
  await expect(places).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Cerrar las demás sesiones' })).toHaveCount(0)
  await other.reload()
  await expect(other).toHaveURL(/\/login/)
})

test('theme and language change at once and for the next page', { tag: '@nightly' }, async ({ page, org }) => {
  await visit(page, paths.stats(org.slug))
  await page.getByRole('button', { name: 'Cambiar tema' }).click()
  await page.getByRole('menuitemradio', { name: 'Oscuro' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await side(page).getByRole('button', { name: org.owner.user.name }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an account is deleted by a link in a mail, and an only owner is told what to do first', async ({
  page,
  org,
  site,
  another,
  complaints,
}) => {
  complaints.announce(/409 POST \/api\/auth\/delete-user/)
  await visit(page, paths.settingsOf(org.slug, 'account'))
  await page.getByRole('button', { name: 'Eliminar cuenta' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Eliminar' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Panadería Don Luis')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog).toBeHidden()

  const bea = await aMember({ databases: site.databases, publicUrl: site.url, name: 'Bea', role: 'member' })
  const hers = await another(bea)
  await visit(hers, paths.settingsOf(bea.org.slug, 'account'))
  await hers.getByRole('button', { name: 'Eliminar cuenta' }).click()
  await hers.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(hers.getByRole('heading', { name: 'Revisá tu correo' })).toBeVisible()
  await hers.goto(paths.deleteAccount(await tokenOf(site, bea.user.id)))
  await hers.getByRole('button', { name: 'Eliminar para siempre' }).click()
  await expect(hers).toHaveURL('/login')
  await hers.goto(paths.chats(bea.org.slug))
  await expect(hers).toHaveURL(/\/login\?returnTo=/)
})

test('an owner makes another member an owner, and the last owner stays', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  complaints,
}) => {
  complaints.announce(/400 POST \/api\/auth\/organization\/update-member-role/)
  const beto = await org.colleague('Beto Admin', 'admin')
  const dialog = page.getByRole('dialog')
  const give = async (name: string, role: string) => {
    await page.getByRole('button', { name: `Acciones de ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Editar miembro' }).click()
    await dialog.getByLabel('Rol').selectOption(role)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
  }
  await visit(page, paths.org(org.slug))
  await give(org.owner.user.name, 'admin')
  await expect(dialog.getByRole('alert')).toHaveText('La organización no puede quedar sin propietario.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await give('Beto Admin', 'owner')
  await expect(page.getByText('Rol de Beto Admin actualizado')).toBeVisible()
  await expect(page.getByRole('row', { name: /Beto Admin/ })).toContainText('Propietario')
  await give(org.owner.user.name, 'admin')
  await expect(page.getByText(`Rol de ${org.owner.user.name} actualizado`)).toBeVisible()
  await page.getByRole('button', { name: 'Acciones de Beto Admin' }).click()
  await expect(page.getByRole('menuitem', { name: 'Editar acceso a contenido' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Editar miembro' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const his = await another(beto)
  await visit(his, paths.org(org.slug))
  await expect(his.getByRole('button', { name: `Acciones de ${org.owner.user.name}` })).toBeVisible()
  const viewer = await another(await org.colleague('Vera', 'viewer'))
  await visit(viewer, paths.org(org.slug))
  await expect(viewer.getByRole('row', { name: /Vera/ })).toBeVisible()
  await expect(viewer.getByRole('button', { name: /Acciones de/ })).toHaveCount(0)
})

test('a page that fails to render leaves the frame intact, with a request id', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/500 GET \/api\/members\/members/, /Error/)
  await visit(page, paths.stats(org.slug))
  await intercept(page, '**/api/members/members?*', route =>
    route.fulfill({
      status: 500,
      json: { statusCode: 500, code: 'APP_INTERNAL', message: 'Algo falló', requestId: 'req-77' },
    }),
  )
  await page.keyboard.press('Control+k')
  await page.locator('dialog.palette').getByRole('combobox').fill('Administración')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Algo salió mal' })).toBeVisible()
  await expect(page.getByText(/req-77/)).toBeVisible()
  await expect(side(page)).toBeVisible()
  await expectAccessible(page)
})

test('an unknown address keeps the frame and links back to the conversations', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/^404 GET/)
  for (const path of [
    `/org/${org.slug}/nada`,
    paths.template(org.slug, 'x'),
    paths.templateEdit(org.slug, 'x'),
    paths.flow(org.slug, 'x'),
    paths.flowRuns(org.slug, 'x'),
    paths.flowRun(org.slug, 'x', 'y'),
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Página no encontrada.' })).toBeVisible()
    await expect(side(page)).toBeVisible()
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: 'Volver al inicio' }).click()
  await expect(page).toHaveURL(paths.chats(org.slug))
})

test('a lost network is shown quietly on every page and recovers', { tag: '@nightly' }, async ({
  page,
  context,
  org,
  complaints,
}) => {
  // Files prefetched while the page is idle may be loading when the network goes down.
  complaints.announce(
    /console error: Failed to load resource/,
    /ERR_INTERNET_DISCONNECTED/,
    /Failed to fetch dynamically imported module/,
  )
  await visit(page, paths.stats(org.slug))
  await context.setOffline(true)
  await expect(page.getByText('Sin conexión. Lo que escribas queda guardado acá.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator('.away-bar')).toBeHidden()
})
