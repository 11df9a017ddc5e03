/** The administration pages of an organization: their exact texts, and the widths of their dialogs. */
import { paths } from '#shared/kernel/paths.ts'
import { longDate } from '#shared/kernel/time.ts'
import { expect, intercept, type Page, test } from './fixtures.ts'

test.use({ locale: 'es-AR', viewport: { width: 1440, height: 900 }, timezoneId: 'America/Argentina/Buenos_Aires' })

const columnsOf = async (page: Page) => {
  const names = await page.getByRole('main').getByRole('columnheader').allInnerTexts()
  return names.map(name => name.trim()).filter(name => name !== '' && name !== 'Acciones')
}
const itemsOf = async (page: Page) => (await page.getByRole('menuitem').allInnerTexts()).map(text => text.trim())

test('the page, its tables and their menus have the agreed texts', async ({ page, org }) => {
  await org.colleague('Vera Núñez', 'viewer')
  await page.goto(paths.org(org.slug))
  const card = page.getByRole('region', { name: org.owner.org.name })
  await expect(card.getByText('Slug:', { exact: true })).toBeVisible()
  await expect(card.getByText(org.slug, { exact: true })).toBeVisible()
  await expect(card.getByText('Creada el:', { exact: true })).toBeVisible()
  const created = await org.call<{ createdAt: string }>('GET', '/organization')
  const day = longDate(created.createdAt, 'es', 'America/Argentina/Buenos_Aires')
  expect(day).toMatch(/^\d{1,2} de [a-z]+ de \d{4}$/)
  await expect(card.getByText(day, { exact: true })).toBeVisible()
  for (const name of ['Configurar SSO', 'API Keys'])
    await expect(card.getByRole('button', { name, exact: true })).toBeVisible()
  for (const name of ['Miembros', 'Equipos']) await expect(card.getByRole('link', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Miembros de la organización', exact: true })).toBeVisible()
  await expect
    .poll(() => columnsOf(page))
    .toEqual(['Nombre', 'Email', 'Rol', 'Equipos', 'Última actividad', 'Verificación en dos pasos'])
  await page.getByRole('button', { name: 'Acciones de Vera Núñez' }).click()
  await expect.poll(() => itemsOf(page)).toEqual(['Editar miembro', 'Editar acceso a contenido', 'Eliminar'])
  await page.keyboard.press('Escape')

  await org.call('POST', '/auth/organization/create-team', {
    organizationId: org.owner.org.id,
    name: 'Diseño',
    description: 'Piezas y colores',
  })
  await page.goto(`${paths.org(org.slug)}?tab=teams`)
  await expect
    .poll(() => columnsOf(page))
    .toEqual(['Nombre', 'Descripción', 'Miembros', 'Asignación', 'Conversaciones'])
  const row = page.getByRole('row').filter({ hasText: 'Diseño' })
  await expect(row).toContainText('Piezas y colores')
  await expect(row.getByText('0 miembros', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'Acciones de Diseño' }).click()
  await expect.poll(() => itemsOf(page)).toEqual(['Ver miembros', 'Editar equipo', 'Eliminar equipo'])
})

test('a failed list shows an error, and a slow one a loading state', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/^500 GET \/api\/organization$/, /^console error: ApiError: No/)
  await page.goto(paths.stats(org.slug))
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await intercept(page, '**/api/members/members**', async route => {
    await held
    await route.continue()
  })
  // Delayed: an immediate failure would be a page of its own.
  await intercept(page, '**/api/organization', async route => {
    await held
    await route.fulfill({ status: 500, json: { statusCode: 500, code: 'APP_INTERNAL', message: 'No' } })
  })
  await page.getByRole('button', { name: 'Buscar' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('Administración')
  await page.getByRole('dialog').getByRole('option', { name: 'Administración', exact: true }).click()
  await expect(page.getByText('Cargando...', { exact: true }).first()).toBeAttached()
  answer()
  await expect(page.getByText('No hay datos de la organización', { exact: true })).toBeVisible()
})

test('the dialogs for members and teams have the agreed texts', async ({ page, org }) => {
  await org.colleague('Vera Núñez', 'viewer')
  await org.call('POST', '/whatsapp/tags', { label: 'Mayorista' })
  await org.call('POST', '/whatsapp/tags', { label: 'Minorista' })
  await page.goto(paths.org(org.slug))
  const dialog = page.getByRole('dialog')
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Acciones de Vera Núñez' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const says = (text: string) => expect(dialog.getByText(text, { exact: true }).first()).toBeVisible()
  const has = (role: 'button' | 'textbox' | 'combobox' | 'checkbox', name: string) =>
    expect(dialog.getByRole(role, { name, exact: true })).toBeVisible()

  await choose('Editar acceso a contenido')
  await expect(dialog.getByRole('heading')).toHaveText('Editar acceso de contenido al rol: Solo lectura')
  await says('Acceso a contenido de envios Masivos:')
  const box = dialog.getByRole('checkbox', { name: 'Mayorista', exact: true })
  await expect(box).not.toBeChecked()
  await has('checkbox', 'Minorista')
  const [saved] = await Promise.all([
    page.waitForResponse(response => response.request().method() === 'POST' && /permission/.test(response.url())),
    box.check(),
  ])
  expect(saved.status()).toBe(200)
  await page.keyboard.press('Escape')

  await choose('Editar miembro')
  await has('textbox', 'Nombre')
  await has('combobox', 'Rol')
  for (const name of ['Cancelar', 'Guardar']) await has('button', name)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'Invitar miembro', exact: true }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Invitar nuevo miembro')
  await says('Envía una invitación por correo electrónico para unirse a la organización.')
  await expect(dialog.getByLabel('Correo electrónico')).toHaveAttribute('type', 'email')
  await expect(dialog.getByLabel('Correo electrónico')).toHaveAttribute('required', '')
  await has('combobox', 'Rol')
  for (const name of ['Cancelar', 'Enviar invitación']) await has('button', name)
  await page.keyboard.press('Escape')

  await page.goto(`${paths.org(org.slug)}?tab=teams`)
  await page.getByRole('button', { name: 'Crear equipo', exact: true }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Crear nuevo equipo')
  expect((await dialog.boundingBox())?.width).toBe(425)
  await expect(dialog.getByLabel('Nombre del equipo')).toHaveAttribute('required', '')
  await expect(dialog.getByLabel('Descripción')).toHaveAttribute('rows', '3')
  for (const name of ['Cancelar', 'Crear equipo']) await has('button', name)
})

test('the dialogs for keys and providers have the agreed texts', async ({ page, org }) => {
  await page.goto(paths.org(org.slug))
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'API Keys', exact: true }).click()
  await expect(dialog.getByRole('heading').first()).toHaveText('API Keys')
  const name = dialog.getByLabel('Nombre de la API key')
  await expect(name).toHaveAttribute('required', '')
  await expect(name).toHaveAttribute('placeholder', 'ej. Desarrollo, Producción, etc.')
  await expect(dialog.getByRole('heading', { name: 'API Keys existentes', exact: true })).toBeVisible()
  await expect(dialog.getByText('No hay API keys generadas.', { exact: true })).toBeVisible()
  await name.fill('Desarrollo')
  await dialog.getByRole('button', { name: 'Generar', exact: true }).click()
  await expect(dialog.getByText('¡API key generada con éxito!', { exact: true })).toBeVisible()
  await expect(
    dialog.getByText('Guarda esta key en un lugar seguro. No podrás verla de nuevo.', { exact: true }),
  ).toBeVisible()
  const row = dialog.getByRole('row').filter({ hasText: 'Desarrollo' })
  await expect(row).toHaveCount(1)
  const columns = await dialog.getByRole('columnheader').allInnerTexts()
  expect(columns.map(text => text.trim()).slice(0, 4)).toEqual(['Nombre', 'API Key', 'Creada', 'Último uso'])
  await expect(row).toContainText('Nunca')
  await expect(row.getByRole('button')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()
  // Nobody copied the key, which is never shown again.
  await page.getByRole('button', { name: 'Cerrar igual', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'Configurar SSO', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: 'Configurar SSO', exact: true })).toBeVisible()
  expect((await dialog.boundingBox())?.width).toBe(900)
  const field = await dialog.getByLabel('Dominio', { exact: true }).boundingBox()
  const beside = await dialog.getByRole('heading', { name: 'Proveedores configurados' }).boundingBox()
  expect(field && beside && field.x + field.width < beside.x, 'the form on the left, the providers on the right').toBe(
    true,
  )
  await expect(dialog.getByText('No hay proveedores SSO configurados.', { exact: true })).toBeVisible()
  await dialog.getByLabel('Dominio', { exact: true }).fill('masa.invalid')
  await dialog.getByLabel('Client ID', { exact: true }).fill('recado')
  await dialog.getByLabel('Client Secret', { exact: true }).fill('un-secreto-largo')
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(dialog.getByText('¡Proveedor SSO configurado correctamente!', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('row').filter({ hasText: 'masa.invalid' })).toHaveCount(1)
  const titles = await dialog.getByRole('columnheader').allInnerTexts()
  expect(titles.map(text => text.trim()).slice(0, 4)).toEqual(['Nombre', 'Dominio', 'Estado', 'Creado'])
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(dialog).toHaveCount(0)
})
