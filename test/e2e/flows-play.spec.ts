import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const at = (column: number, row = 0) => ({ x: column * 360, y: row * 260 })
const graph = {
  nodes: [
    { id: 's', type: 'start', position: at(0), data: {} },
    {
      id: 'name',
      type: 'question',
      position: at(1),
      data: { text: '¿Cómo te llamás?', variable: 'nombre', timeoutMs: 3_600_000, ends: ['invalid', 'timeout'] },
    },
    {
      id: 'choose',
      type: 'buttons',
      position: at(2),
      data: {
        text: 'Hola {{flujo.nombre}}, ¿qué buscás?',
        options: [
          { id: 'bread', title: 'Pan' },
          { id: 'cake', title: 'Una torta' },
        ],
        variable: 'busca',
        ends: ['bread', 'other'],
      },
    },
    { id: 'wait', type: 'wait', position: at(3), data: { ms: 7_200_000 } },
    {
      id: 'person',
      type: 'handoff',
      position: at(4),
      data: { message: 'Ya te atienden.', note: 'Busca {{flujo.busca}}' },
    },
  ],
  edges: [
    { source: 's', target: 'name' },
    { source: 'name', target: 'choose' },
    { source: 'choose', sourceHandle: 'cake', target: 'wait' },
    { source: 'wait', target: 'person' },
  ],
}

test('a draft is simulated: typed, tapped, waited, with its path highlighted, and simulated again after an edit', async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Encargos',
    graph,
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['encargo'] }],
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await expect(page.locator('.react-flow__node')).toHaveCount(5)
  await page.getByRole('button', { name: 'Probar', exact: true }).press('Enter')
  const panel = page.getByRole('complementary', { name: 'Probar el flujo' })
  const chat = panel.getByRole('log')
  await expect(chat.getByRole('listitem')).toHaveCount(2)
  await expect(chat).toContainText('encargo')
  await expect(panel.getByRole('status')).toContainText('Espera una respuesta')
  const field = panel.getByRole('textbox', { name: 'Escribí como el cliente' })
  await expect(field, 'the keys are where one writes').toBeFocused()
  await page.keyboard.type('Lucía')
  await page.keyboard.press('Enter')
  await expect(chat).toContainText('Hola Lucía, ¿qué buscás?')
  const taken = page.locator('.flow-card[data-taken="true"]')
  await expect(taken).toHaveCount(3)
  await expect(page.locator('.flow-card[data-here="true"]')).toContainText('¿qué buscás?')
  await expect(page.locator('.react-flow__edge.flow-taken')).toHaveCount(2)
  await expectAccessible(page)
  await picture(page, 'flow-play')

  await chat.getByRole('button', { name: 'Una torta' }).click()
  await expect(panel.getByRole('status')).toContainText('Espera hasta las')
  await expect(panel.getByRole('definition').filter({ hasText: 'Una torta' })).toBeVisible()
  await panel.getByRole('button', { name: 'Pasar 2 horas' }).click()
  await expect(panel.getByRole('status')).toContainText('Lo atiende quien esté disponible.')
  await expect(panel.getByRole('status')).toContainText('Busca Una torta')
  await expect(taken).toHaveCount(5)
  // The current step scrolls into view by itself.
  await expect(page.locator('.react-flow__node[data-id="person"]')).toBeInViewport({ ratio: 0.9 })
  await panel.getByText('Recorrido: 8 pasos').click()
  await expect(panel.getByText('eligió una opción')).toBeVisible()
  await expectAccessible(page)

  // After an edit the simulation restarts from the beginning. When it reaches the end, earlier steps may be out of view
  // or under the palette.
  await page.getByRole('button', { name: 'Ver todo' }).click()
  await page.locator('.react-flow__node[data-id="choose"]').click()
  await page.getByLabel('Texto del mensaje').fill('{{flujo.nombre}}, ¿pan o torta?')
  await page.getByRole('button', { name: 'Probar', exact: true }).click()
  await expect(chat).toContainText('Lucía, ¿pan o torta?')
  const version = panel.getByLabel('Qué se prueba')
  await version.selectOption('Versión 1')
  await expect(chat).toContainText('Hola Lucía, ¿qué buscás?')
  await version.selectOption('El borrador')
  await expect(chat).toContainText('Lucía, ¿pan o torta?')
  await panel.getByRole('button', { name: 'Volver un paso atrás' }).click()
  await expect(panel.getByRole('status')).toContainText('Espera hasta las')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(panel).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-play-390')
  await panel.getByRole('button', { name: 'Cerrar el panel' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page.getByText('Está acá')).toHaveCount(0)
  // No message was sent.
  const { items } = await org.call<{ items: unknown[] }>('GET', `/whatsapp/flows/${id}/runs`)
  expect(items).toEqual([])
})
