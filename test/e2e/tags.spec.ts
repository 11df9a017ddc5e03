import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, intercept, type Page, picture, test } from './fixtures.ts'

const rows = (page: Page) => page.getByRole('navigation', { name: 'Conversaciones' }).getByRole('link')
const head = (page: Page) => page.locator('.thread .pane-head')
const tagButton = (page: Page) => page.getByRole('button', { name: 'Etiquetas', exact: true })
const picker = (page: Page) => page.getByRole('combobox')

test('a tag is created by keyboard, seen by everybody, removed when refused, and filters the list', async ({
  page,
  org,
  openInbox,
  another,
  complaints,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  const other = await another(org.owner)
  await openInbox(other)

  // Input before the tag list has loaded is applied when it has.
  const listed = Promise.withResolvers<void>()
  await intercept(page, /\/whatsapp\/all-tags$/, async route => {
    await listed.promise
    await route.continue()
  })
  await tagButton(page).press('Enter')
  await expect(picker(page)).toBeFocused()
  await picker(page).fill('Mayorista')
  await page.keyboard.press('Enter')
  listed.resolve()
  await expect(page.getByRole('option', { name: 'Mayorista' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await picture(page, 'tag-menu')
  await page.keyboard.press('Escape')
  await expect(tagButton(page)).toBeFocused()
  await expect(head(page)).toContainText('Mayorista')
  await expect(rows(other).filter({ hasText: 'Lucía Méndez' })).toContainText('Mayorista')

  complaints.announce(/^409 DELETE \/api\/whatsapp\/chats\//)
  await intercept(page, /\/whatsapp\/chats\/[^/]+\/tags\//, route =>
    route.fulfill({ status: 409, json: { statusCode: 409, code: 'X', message: 'Ahora no.', requestId: 'x' } }),
  )
  await tagButton(page).click()
  await page.getByRole('option', { name: 'Mayorista' }).click()
  await expect(page.getByText('No se pudo: Ahora no.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(head(page)).toContainText('Mayorista')

  await other.getByRole('button', { name: 'Filtros' }).click()
  await picker(other).fill('mayor')
  await other.keyboard.press('Enter')
  await other.keyboard.press('Escape')
  await expect(rows(other)).toHaveCount(1)
  await expect(rows(other)).toContainText('Lucía Méndez')
  await other.reload()
  await expect(rows(other)).toHaveCount(1)
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Quitar el filtro: Mayorista' }).click()
  await expect(rows(other)).toHaveCount(2)
  await other.getByRole('button', { name: /^Sin leer/ }).click()
  await expect(rows(other)).toHaveCount(1)
  await expect(rows(other)).toContainText('Pedro Gil')
  await other.getByRole('button', { name: 'Mías' }).click()
  await expect(other.getByText('No tenés conversaciones asignadas.')).toBeVisible()
  await other.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(rows(other)).toHaveCount(2)

  await page.goto(paths.settingsOf(org.slug, 'tags'))
  await expect(page.getByRole('link', { name: '1 contacto' })).toBeVisible()
  await expectAccessible(page)
  const actions = (name: string) => page.getByRole('button', { name: `Acciones de ${name}` })
  await actions('Mayorista').click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await page.getByLabel('Nombre').fill('Por mayor')
  await page.getByRole('radio', { name: 'Azul' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Etiqueta «Por mayor» guardada')).toBeVisible()
  await expect(rows(other).filter({ hasText: 'Lucía Méndez' })).toContainText('Por mayor')

  await actions('Por mayor').click()
  await page.getByRole('menuitem', { name: 'Eliminar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('La tiene 1 contacto')
  await dialog.getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Todavía no hay etiquetas.')).toBeVisible()
  await expect(rows(other).filter({ hasText: 'Lucía Méndez' })).not.toContainText('Por mayor')
})

test('a tag chosen before the tags have loaded counts, however soon the menu closes', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await org.customer(2, 'Pedro Gil').says('Buenas')
  await lucia.says('Hola')
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/tags', { label: 'Mayorista' })
  await org.call('PUT', `/whatsapp/chats/${lucia.phone}/tags/${id}`)
  await openInbox(page)
  const listed = Promise.withResolvers<void>()
  await intercept(page, /\/whatsapp\/all-tags$/, async route => {
    await listed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Filtros' }).click()
  await picker(page).fill('mayor')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  listed.resolve()
  await expect(rows(page)).toHaveCount(1)
  await expect(picker(page)).toHaveCount(0)
})

test('two filters enabled before a re-render are both active', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  await org.customer(1, 'Lucía Méndez').says('Hola')
  await openInbox(page)
  const alarms = page.locator('.alarm')
  await expect(alarms).toHaveCount(3)
  await alarms.evaluateAll(async all => {
    for (const alarm of all) {
      ;(alarm as HTMLElement).click()
      // The router has handled the first one, and nothing renders in between.
      for (let turn = 0; turn < 20; turn += 1) await undefined
    }
  })
  await expect(page.locator('.alarm[aria-pressed="true"]')).toHaveCount(3)
  await expect(page).toHaveURL(/needsHuman=1&overdue=1&closing=1/)
})
