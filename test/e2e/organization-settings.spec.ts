import { statSync } from 'node:fs'
import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test.use({ locale: 'es-AR', viewport: { width: 1440, height: 900 } })

test('an owner has all data made into an archive and downloads it', async ({ page, org, another }) => {
  await page.goto(paths.settingsOf(org.slug, 'data'))
  const button = page.getByRole('button', { name: 'Exportar todo' })
  await button.scrollIntoViewIfNeeded()
  await button.press('Enter')
  const ready = page.getByRole('link', { name: 'Descargar', exact: true })
  await expect(ready).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), ready.press('Enter')])
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${org.slug}-\\d{4}-\\d\\d-\\d\\d\\.zip$`))
  expect(statSync(await download.path()).size).toBeGreaterThan(500)
  await expect(page.getByText(/Está listo: \d+ mensajes/)).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await ready.scrollIntoViewIfNeeded()
  await picture(page, 'export-narrow-dark')
  await page.goto(paths.settingsOf(org.slug, 'hours'))
  await page.getByRole('heading', { name: 'Horario de atención' }).scrollIntoViewIfNeeded()
  await picture(page, 'hours-narrow-dark')
  await page.goto(paths.settingsOf(org.slug, 'danger'))
  for (const [open, name] of [
    ['Transferir', 'transfer'],
    ['Eliminar', 'deletion'],
  ] as const) {
    await page.getByRole('region', { name: 'Zona de peligro' }).getByRole('button', { name: open }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await picture(page, `${name}-narrow-dark`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  const admin = await another(await org.colleague('Ada Admin', 'admin'), { locale: 'en-US' })
  await admin.goto(paths.settingsOf(org.slug, 'data'))
  await expect(admin.getByRole('heading', { name: 'File storage' })).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Download', exact: true })).toBeVisible()
})

test('opening hours are typed in short forms, copied to all days and saved', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  await page.goto(paths.settingsOf(org.slug, 'hours'))
  await page.getByLabel('Atendemos en estos horarios').check()
  const from = page.getByLabel('Lunes: desde')
  await from.fill('930')
  await from.press('Tab')
  await expect(from).toHaveValue('09:30')
  await from.fill('nunca')
  await from.press('Tab')
  await expect(page.getByText('«nunca» no es una hora')).toBeVisible()
  await expect(from).toHaveValue('09:30')
  await page.getByRole('button', { name: 'Copiar a otros días: Lunes' }).click()
  await page.getByRole('menuitem', { name: 'Copiar a todos los días' }).click()
  const sunday = page.getByLabel('Domingo: desde')
  await expect(sunday).toHaveValue('09:30')
  await page.getByRole('button', { name: 'Agregar fecha' }).click()
  const date = page.getByLabel('Fecha', { exact: true })
  await date.fill(`25/12/${new Date().getUTCFullYear() + 1}`)
  await date.press('Tab')
  await expect(date).toHaveValue(`25 dic ${new Date().getUTCFullYear() + 1}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('button', { name: 'Descartar' })).toHaveCount(0)
  await page.reload()
  await expect(sunday).toHaveValue('09:30')
  await expect(date).toHaveValue(/^25 dic/)
})

test('a website is saved, and a colleague who may not change it finds a link', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  complaints,
}) => {
  complaints.announce(/^400 PATCH \/api\/organization\/settings/)
  await page.goto(paths.settingsOf(org.slug, 'organization'))
  const card = page.locator('section.card').first()
  const website = card.getByLabel('Sitio web')
  await website.fill('www.trigal.com.ar')
  await website.press('Enter')
  await expect(card.getByRole('alert')).toHaveText(/Escribí la dirección completa/)
  await website.fill('https://www.trigal.com.ar')
  await website.press('Enter')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'website')

  const member = await another(await org.colleague('Mía Miembro', 'member'))
  await member.goto(paths.settingsOf(org.slug, 'organization'))
  await expect(member.getByRole('link', { name: 'https://www.trigal.com.ar' })).toBeVisible()
  await picture(member, 'website-read')
})

test('a colleague’s change is shown, unless one is typing', { tag: '@nightly' }, async ({ page, org, another }) => {
  const zone = (one: typeof page) => one.getByLabel('Zona horaria')
  const other = await another(await org.colleague('Ada Admin', 'admin'))
  for (const one of [page, other]) {
    const stream = one.waitForResponse(response => new URL(response.url()).pathname === '/api/sse')
    await one.goto(paths.settingsOf(org.slug, 'organization'))
    await stream
  }
  const arrived = other.waitForResponse(
    response => response.url().endsWith('/api/organization/settings') && response.request().method() === 'GET',
  )
  const save = (to: string) => org.call('PATCH', '/organization/settings', { timeZone: to })
  await zone(other).selectOption('America/Lima')
  await save('America/Bogota')
  await expect(zone(page)).toHaveValue('America/Bogota')
  await arrived
  await expect(zone(other), 'what is typed stays').toHaveValue('America/Lima')
})

test('an owner sees what retention would delete before saving it, and may cancel', { tag: '@nightly' }, async ({
  page,
  org,
  another,
  complaints,
}) => {
  complaints.announce(/^400 GET \/api\/organization\/retention\/preview/)
  await org.customer(1).says('Hola')
  await page.goto(paths.settingsOf(org.slug, 'data'))
  const card = page.getByRole('region', { name: 'Cuánto se guardan los mensajes' })
  await card.getByLabel('Borrar los mensajes viejos').press('Space')
  const look = card.getByRole('button', { name: 'Ver qué se borraría' })
  await card.getByLabel('Meses que se guardan').fill('2')
  await look.press('Enter')
  await expect(card.getByRole('alert')).toContainText('3')
  await card.getByLabel('Meses que se guardan').fill('12')
  await look.press('Enter')
  const dialog = page.getByRole('dialog', { name: '¿Guardar los mensajes 12 meses?' })
  await expect(dialog.getByText(/Hoy no hay ningún mensaje de antes del/)).toBeVisible()
  await expect(dialog.getByText('Lo que se borra no se puede recuperar.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'retention-dialog')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await org.call('GET', '/organization/retention')).toMatchObject({ months: null })
  await look.press('Enter')
  await dialog.getByRole('button', { name: 'Borrar cada noche' }).press('Enter')
  await expect(card.getByText(/La próxima vez: .*, 03:00/)).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await card.scrollIntoViewIfNeeded()
  await picture(page, 'retention-narrow-dark')
  await card.getByLabel('Borrar los mensajes viejos').press('Space')
  await card.getByRole('button', { name: 'Guardar' }).press('Enter')
  await expect(card.getByText('La próxima vez')).toHaveCount(0)

  const admin = await another(await org.colleague('Ada Admin', 'admin'), { locale: 'en-US' })
  await admin.goto(paths.settingsOf(org.slug, 'data'))
  await expect(admin.getByRole('heading', { name: 'File storage' })).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'Message retention' })).toHaveCount(0)
})

test('each part of the settings has an address, an old one leads to its card, and nothing typed is lost unasked', async ({
  page,
  org,
}) => {
  const index = page.getByRole('navigation', { name: 'Configuración' })
  await page.goto(`${paths.settingsOf(org.slug, 'organization')}#hours`)
  await expect(page).toHaveURL(`${paths.settingsOf(org.slug, 'hours')}#hours`)
  await expect(page.getByRole('heading', { level: 2, name: 'Horario de atención' })).toBeFocused()
  await expect(index.getByRole('link', { name: 'Horario de atención' })).toHaveAttribute('aria-current', 'page')
  await index.getByRole('link', { name: 'General', exact: true }).click()
  const website = page.getByLabel('Sitio web')
  await website.fill('https://www.trigal.com.ar')
  await index.getByRole('link', { name: 'Perfil' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '¿Salir sin guardar?' })
  await expectAccessible(page)
  await picture(page, 'unsaved')
  await dialog.getByRole('button', { name: 'Seguir editando' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(website).toHaveValue('https://www.trigal.com.ar')
  await website.press('Enter')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await index.getByRole('link', { name: 'Perfil' }).press('Enter')
  await expect(page).toHaveURL(paths.settingsOf(org.slug, 'profile'))
  await page.getByLabel('Firma').fill('— Ana')
  await index.getByRole('link', { name: 'Notificaciones' }).press('Enter')
  await dialog.getByRole('button', { name: 'Salir sin guardar' }).press('Enter')
  await expect(page).toHaveURL(paths.settingsOf(org.slug, 'notifications'))

  await test.step('on a phone the index is a page of its own', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(index).toBeHidden()
    await page.getByRole('link', { name: 'Configuración' }).click()
    await expect(page).toHaveURL(paths.settings(org.slug))
    await expect(page.getByRole('heading', { name: 'Organización' }).first()).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'index-390')
    await index.getByRole('link', { name: 'General', exact: true }).click()
    await expect(website).toHaveValue('https://www.trigal.com.ar')
    await expectAccessible(page)
    await picture(page, 'general-390')
  })
})
