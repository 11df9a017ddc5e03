import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const said = (text: string) => ({ richText: [{ type: 'p', children: [{ text }] }] })
const exported = {
  version: '6.1',
  name: 'Presupuestos',
  events: [{ id: 'ev', type: 'start', outgoingEdgeId: 'e0', graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: 'g1',
      title: 'Bienvenida',
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        { id: 'b1', type: 'image', content: { url: 'https://img.example/logo.png' } },
        { id: 'b2', type: 'text', content: said('¿Cómo te llamás?') },
        { id: 'b3', type: 'text input', outgoingEdgeId: 'e1', options: { variableId: 'v1' } },
      ],
    },
    {
      id: 'g2',
      title: 'Guardar',
      graphCoordinates: { x: 300, y: 0 },
      blocks: [
        { id: 'b4', type: 'Google Sheets', options: {} },
        { id: 'b5', type: 'text', content: said('Gracias, {{Nombre}}.') },
      ],
    },
  ],
  edges: [
    { id: 'e0', from: { eventId: 'ev' }, to: { groupId: 'g1' } },
    { id: 'e1', from: { blockId: 'b3' }, to: { groupId: 'g2' } },
  ],
  variables: [{ id: 'v1', name: 'Nombre' }],
  settings: {},
  theme: {},
}

test('a Typebot flow is imported with a report of the differences', { tag: '@nightly' }, async ({ page, org }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('button', { name: 'Crear flujo' }).first().click()
  const file = (name: string, content: string) => ({
    ...{ name, mimeType: 'application/json' },
    buffer: Buffer.from(content),
  })
  const input = page.getByLabel('Importar un archivo')
  await input.setInputFiles(file('otro.json', '{"hola":1}'))
  await expect(page.getByRole('alert')).toHaveText('Ese archivo no es un flujo exportado de Recado ni de Typebot.')
  await input.setInputFiles(file('typebot.json', JSON.stringify(exported)))
  const dialog = page.getByRole('dialog', { name: 'Importar de Typebot' })
  await expect(dialog).toContainText('«Presupuestos» se puede traer: 5 pasos.')
  await expect(dialog).toContainText('En «Guardar»: Google Sheets')
  await expect(dialog, 'a picture stays one').not.toContainText('https://img.example/logo.png')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-typebot-390')
  await dialog.getByRole('button', { name: 'Crear el flujo' }).click()
  await expect(page.locator('[data-step]').filter({ hasText: '¿Cómo te llamás?' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Lienzo' }).click()
  await expect(page.locator('.flow-card').filter({ hasText: 'Gracias, flujo.nombre.' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'flow-typebot')
})
