import { flowsPerPage } from '#shared/flows/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const graph = {
  nodes: [
    { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
    { id: 'm', type: 'message', position: { x: 360, y: 0 }, data: { text: 'Hola', ends: ['next'] } },
  ],
  edges: [{ source: 's', target: 'm' }],
}
const triggers = [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }]

test('flows are reordered by dragging and by keyboard, and a switch turns one on and off', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  for (const name of ['Uno', 'Dos', 'Tres']) {
    const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', { name, graph, triggers })
    if (name !== 'Tres') await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  }
  const order = async () =>
    (await org.call<{ items: { name: string }[] }>('GET', '/whatsapp/flows')).items.map(({ name }) => name)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const last = page.getByRole('button', { name: 'Tres, puesto 3' })
  await expect(last).toHaveAttribute('draggable', 'true')
  await last.dragTo(row('Uno'))
  await expect(page.getByRole('button', { name: 'Tres, puesto 1' })).toBeVisible()
  await expect.poll(order).toEqual(['Tres', 'Uno', 'Dos'])
  await page.getByRole('button', { name: 'Tres, puesto 1' }).press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Tres, puesto 2' })).toBeVisible()
  await expect.poll(order).toEqual(['Uno', 'Tres', 'Dos'])

  await expect(page.getByRole('switch')).toHaveCount(2)
  const isOn = page.getByRole('switch', { name: 'Activo: Dos' })
  await expect(isOn).toBeChecked()
  await isOn.click()
  await expect(row('Dos')).toContainText('Pausado')
  await expect(isOn).not.toBeChecked()
  await isOn.click()
  await expect(row('Dos')).toContainText('Publicado')
  await expectAccessible(page)
  await picture(page, 'flows-list')
  await page.setViewportSize({ width: 1024, height: 768 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'flows-list-1024')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'flows-list-1024-dark')
  await page.getByRole('button', { name: 'Opciones de flujos' }).click()
  await page.getByRole('menuitem', { name: 'Configuración' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Guardar' })).toBeInViewport()
  await picture(page, 'flow-settings-1024-dark')
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('switch'), 'each card that was published has its own').toHaveCount(2)
  await page.getByRole('button', { name: 'Acciones de Dos' }).click()
  await page.getByRole('menuitem', { name: 'Pausar' }).click()
  await expect(row('Dos')).toContainText('Pausado')
  await page.getByText('Qué pasa si…').click()
  await expect(page.getByText('no despierta ningún flujo')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flows-list-390')
})

test('a flow is exported and imported unchanged; on a phone it can be read and changed', async ({
  page,
  org,
  complaints,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', { name: 'Bienvenida', graph, triggers })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(paths.flow(org.slug, id))
  await page.locator('[data-step="m"]').click()
  await expect(page.getByLabel('Texto del mensaje')).toHaveValue('Hola')
  await page.getByLabel('Texto del mensaje').fill('Hola de nuevo')
  await page.locator('.flow-panel').getByRole('button', { name: 'Cerrar el panel' }).click()
  await expect(page.locator('[data-step="m"]')).toContainText('Hola de nuevo')
  await expect(page.getByRole('button', { name: /^Publicar/ })).toBeInViewport()
  await page.locator('.flow-step-tools').getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.locator('[data-step]')).toHaveCount(1)
  await page
    .getByRole('button', { name: /^Agregar un paso/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Pregunta' }).click()
  await expect(page.locator('.flow-panel')).toBeVisible()
  await page.locator('.flow-panel').getByRole('button', { name: 'Cerrar el panel' }).click()
  await picture(page, 'flow-390-changed')
  for (let i = 0; i < 3; i += 1) await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.locator('[data-step="m"]')).toContainText('Hola')
  await expect(page.locator('[data-step]')).toHaveCount(2)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-390')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'flow-390-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Acciones de Bienvenida' }).click()
      await page.getByRole('menuitem', { name: 'Exportar JSON' }).click()
    })(),
  ])
  const path = await download.path()

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('button', { name: 'Crear flujo' }).first().click()
  const choose = (flow: object) =>
    page.getByLabel('Importar un archivo').setInputFiles({
      name: 'flujo.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ format: 'recado-flow', version: 1, name: 'Otro', triggers: [], ...flow })),
    })
  complaints.announce(/^400 POST \/api\/whatsapp\/flows$/, /^413 POST \/api\/whatsapp\/flows$/)
  await choose({ graph: { nodes: [{ id: 'start', type: 'nope' }], edges: [] } })
  await expect(page.getByRole('alert')).toContainText('graph.nodes.0.type No es una de las opciones.')
  const long = Array.from({ length: 400 }, (_, i) => ({
    id: `n${i}`,
    type: 'message',
    data: { text: 'x'.repeat(4000) },
  }))
  await choose({ graph: { nodes: long, edges: [] } })
  await expect(page.getByRole('alert')).toHaveText('El contenido es demasiado grande.')
  const many = Array.from({ length: 5000 }, (_, i) => ({ id: `n${i}`, type: i ? 'message' : 'start', data: {} }))
  await choose({ graph: { nodes: many, edges: [] } })
  await expect(page.getByRole('alert')).toHaveText('Ese flujo tiene 5000 pasos: entran hasta 500. No se importó nada.')
  await choose({ graph: { nodes: [], edges: [], pad: 'x'.repeat(10 * 1024 * 1024) } })
  await expect(page.getByRole('alert')).toHaveText('Ese archivo es demasiado grande: hasta 4 MB.')
  await choose({
    graph: JSON.parse('{"nodes":[{"id":"start","type":"start","data":{"__proto__":{"x":1}}}],"edges":[]}'),
  })
  await expect(page.getByRole('alert')).toContainText('un campo llamado «__proto__»')
  await page.getByLabel('Importar un archivo').setInputFiles(path)
  await expect(page.getByLabel('Nombre del flujo')).toHaveValue('Bienvenida')
  await expect(page.locator('.react-flow__node')).toHaveCount(2)
  const { items } = await org.call<{ items: { id: string; triggers: unknown }[] }>('GET', '/whatsapp/flows')
  expect(items).toHaveLength(2)
  const [first, second] = await Promise.all(
    items.map(one => org.call<{ graph: unknown; triggers: unknown }>('GET', `/whatsapp/flows/${one.id}`)),
  )
  expect(second?.graph).toEqual(first?.graph)
  expect(second?.triggers).toEqual(first?.triggers)
})

test('more flows than a page are loaded on demand, found by name, and moved beyond the loaded ones', {
  tag: '@nightly',
}, async ({ page, org }) => {
  for (let i = 1; i <= flowsPerPage + 2; i += 1)
    await org.call('POST', '/whatsapp/flows', { name: `Flujo ${String(i).padStart(3, '0')}`, graph, triggers })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  const places = page.locator('.flow-place')
  await expect(places).toHaveCount(flowsPerPage)
  const last = (place: number) => page.getByRole('button', { name: `Flujo 050, puesto ${place}` })
  await expect(last(50)).toHaveAttribute('draggable', 'true')
  await last(50).press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Flujo 051, puesto 50' })).toBeVisible()
  await page.getByRole('button', { name: 'Ver más' }).click()
  await expect(places).toHaveCount(flowsPerPage + 2)
  await expect(last(51)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ver más' })).toHaveCount(0)
  await page.goto(paths.flows(org.slug))
  await expect(places).toHaveCount(flowsPerPage)
  await expect(page.getByRole('button', { name: 'Flujo 001, puesto 1' })).toHaveAttribute('draggable', 'true')
  await page.getByLabel('Buscar un flujo').fill('flujo 052')
  await expect(page.getByRole('button', { name: 'Flujo 052, puesto 52' })).toBeVisible()
  await expect(places).toHaveCount(1)
})
