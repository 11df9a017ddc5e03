import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Locator, picture, test } from './fixtures.ts'

const at = (column: number) => ({ x: column * 360, y: 0 })
const drawn = (text: string) => ({
  nodes: [
    { id: 's', type: 'start', position: at(0), data: {} },
    { id: 'm', type: 'message', position: at(1), data: { text } },
    { id: 'q', type: 'message', position: at(2), data: { text: 'Hasta luego.', ends: ['next'] } },
  ],
  edges: [
    { source: 's', target: 'm' },
    { source: 'm', target: 'q' },
  ],
})
const triggers = [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }]

test('notes and colours are drawn, and versions are compared side by side', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    ...{ name: 'Bienvenida', graph: drawn('Hola, soy el bot.'), triggers },
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, { note: 'La primera' })
  const changed = drawn('Hola, soy Pan.')
  changed.nodes.splice(2, 1, { id: 'n', type: 'message', position: at(2), data: { text: 'Contame.', ends: ['next'] } })
  changed.edges.splice(1, 1, { source: 'm', target: 'n' })
  await org.call('PUT', `/whatsapp/flows/${id}`, { revision: 1, graph: changed })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, { note: 'La segunda' })

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await expect(page.locator('.react-flow__node')).toHaveCount(3)
  await page.getByRole('button', { name: 'Agregar una nota' }).click()
  await page.getByLabel('Texto de la nota').fill('Preguntar a ventas antes de cambiarlo.')
  await page.locator('.react-flow__node[data-id="m"]').click()
  await page.locator('.flow-colors').getByRole('button', { name: 'Azul' }).click()
  await expect(page.locator('.flow-card[data-color="blue"]')).toHaveCount(1)
  await expectAccessible(page)
  await picture(page, 'flow-notes')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'flow-notes-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  const [step, map] = [
    page.locator('.react-flow__node[data-id="m"]'),
    page.getByRole('img', { name: 'Mapa del flujo' }),
  ]
  const leftOf = async () => (await step.boundingBox())?.x ?? Number.NaN
  const before = await leftOf()
  await map.click({ position: { x: 190, y: 55 } })
  await expect.poll(leftOf, { message: 'pressed at its right, the canvas goes there' }).toBeLessThan(before - 100)

  await page.getByRole('button', { name: 'Acciones de Bienvenida' }).click()
  await page.getByRole('menuitem', { name: 'Versiones' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Comparar' }).last().click()
  const rows = dialog.locator('.flow-compare tbody tr')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('Hola, soy el bot.')
  await expect(rows.nth(0)).toContainText('Hola, soy Pan.')
  await dialog.getByLabel('Comparar con').selectOption({ label: 'Versión 2' })
  await expect(dialog.locator('thead')).toContainText('Versión 1')
  await expect(dialog.locator('[data-change="removed"]')).toContainText('Hasta luego.')
  await expect(dialog.locator('[data-change="added"]')).toContainText('Contame.')
  await dialog.getByLabel('Ver también lo que no cambió').check()
  await expect(rows).toHaveCount(4)
  await expectAccessible(page)
  await picture(page, 'flow-versions')
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByLabel('Texto de la nota')).toHaveValue('Preguntar a ventas antes de cambiarlo.')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('steps are added where they go: at an output, on a line, and by a key', async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    ...{ name: 'Bienvenida', graph: { nodes: [{ id: 's', type: 'start', position: at(0), data: {} }], edges: [] } },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  const steps = page.locator('.react-flow__node')
  const lines = page.locator('.react-flow__edge')
  await expect(steps).toHaveCount(1)
  const board = page.getByRole('application', { name: 'Lienzo' })
  const isWhole = async (step: Locator) => {
    const [inner, outer] = [await step.boundingBox(), await board.boundingBox()]
    return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
  }
  const choose = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()
  await steps
    .first()
    .getByRole('button', { name: /^Agregar un paso/ })
    .click()
  await choose('Botones')
  await expect(lines).toHaveCount(1)
  await expect(page.getByLabel('Texto del mensaje')).toBeFocused()
  await page.keyboard.type('Hola, ¿qué necesitás?')
  const asks = steps.filter({ hasText: '¿qué necesitás?' })
  await expect.poll(() => isWhole(asks), { message: 'added' }).toBe(true)

  await page.getByRole('button', { name: 'Cerrar el panel' }).click()
  await expect(asks).toBeFocused()
  await page.keyboard.press('n')
  const search = page.getByRole('searchbox', { name: 'Buscar qué agregar' })
  await expect(search).toBeFocused()
  await page.keyboard.type('condicion')
  await expect(page.getByRole('menuitem')).toHaveText(['Condición'])
  await search.fill('mens')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const map = page.locator('.flow-map')
  const added = steps.filter({ hasText: 'Acá va tu mensaje' })
  // Neither beyond the canvas nor under the minimap.
  await expect
    .poll(async () => {
      const [step, over] = [await added.boundingBox(), await map.boundingBox()]
      if (!step || !over || !(await isWhole(added))) return false
      return step.x + step.width <= over.x || step.y + step.height <= over.y
    })
    .toBe(true)
  await expect(lines).toHaveCount(2)
  await expect(steps).toHaveCount(3)

  await page.locator('.react-flow__edge').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('.flow-insert').getByRole('button').click()
  await choose('Esperar')
  await expect(steps).toHaveCount(4)
  await expect(lines).toHaveCount(3)
  await expectAccessible(page)
  await picture(page, 'flow-added')
})

test('a step moved under its panel scrolls into view beside it', { tag: '@nightly' }, async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    ...{ name: 'Bienvenida', graph: drawn('Hola, soy el bot.'), triggers },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await expect(page.locator('.react-flow__node')).toHaveCount(3)
  const board = page.getByRole('application', { name: 'Lienzo' })
  const moved = page.locator('.react-flow__node[data-id="m"]')
  const isWhole = async () => {
    const [inner, outer] = [await moved.boundingBox(), await board.boundingBox()]
    return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
  }
  const from = (await moved.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(from.x + 60, from.y + 14)
  await page.mouse.down()
  await page.mouse.move(from.x + 520, from.y + 60, { steps: 8 })
  await page.mouse.up()
  await expect(page.locator('.flow-panel')).toBeVisible()
  await expect.poll(isWhole, { message: 'dragged' }).toBe(true)
})

test('texts, expiry and the answer outside business hours are set for all flows', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('button', { name: 'Opciones de flujos' }).click()
  await page.getByRole('menuitem', { name: 'Configuración' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Palabras para salir').fill('chau, menú')
  complaints.announce(/^400 PUT \/api\/whatsapp\/flow-settings/)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('«menú» está dos veces')).toBeVisible()
  await dialog.getByLabel('Palabras para salir').fill('chau')
  await dialog.getByLabel('Horas sin respuesta hasta que vence').fill('12')
  await dialog.getByLabel('Respuesta fuera de horario').fill('Abrimos a las 9, {{contacto.nombre}}.')
  await expectAccessible(page)
  await picture(page, 'flow-settings')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('La configuración de los flujos está guardada.')).toBeVisible()
  type Settings = { leaveWords: string[]; expiresAfterHours: number }
  const { leaveWords, expiresAfterHours } = await org.call<Settings>('GET', '/whatsapp/flow-settings')
  expect([leaveWords, expiresAfterHours]).toEqual([['chau'], 12])
})

test('edits of the name, of a step’s field and of a note are each undone as one step', {
  tag: '@nightly',
}, async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    ...{ name: 'Bienvenida', graph: drawn('Hola, soy el bot.'), triggers },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await expect(page.locator('.react-flow__node')).toHaveCount(3)
  const name = page.getByLabel('Nombre del flujo')
  await name.press('End')
  await name.pressSequentially(' y más')
  // It submits no form.
  await name.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bienvenida y más')
  await page.locator('.react-flow__node[data-id="m"] .flow-card-head').click()
  const stepName = page.locator('.flow-panel').getByLabel('Nombre del paso')
  await stepName.pressSequentially('Saludo')
  await stepName.press('Enter')
  await expect(page.locator('.react-flow__node[data-id="m"]')).toContainText('Saludo')
  await page.getByRole('button', { name: 'Agregar una nota' }).click()
  const note = page.getByLabel('Texto de la nota')
  await note.pressSequentially('Preguntar')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(paths.flow(org.slug, id))

  const undo = page.getByRole('button', { name: 'Deshacer' })
  await undo.click()
  await expect(note).toHaveValue('')
  await undo.click()
  await expect(note).toHaveCount(0)
  await undo.click()
  await expect(page.locator('.react-flow__node[data-id="m"]')).not.toContainText('Saludo')
  await expect(name).toHaveValue('Bienvenida y más')
  await undo.click()
  await expect(name).toHaveValue('Bienvenida')
  const heard = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toHaveCount(1)
  await heard('Se deshizo un cambio. Se pueden deshacer 0 más.')
  await page.getByRole('button', { name: 'Rehacer' }).click()
  await expect(name).toHaveValue('Bienvenida y más')
  await heard('Se rehízo un cambio. Se pueden rehacer 3 más.')
})
