import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

const at = (column: number) => ({ x: column * 360, y: 0 })
const graph = {
  nodes: [
    { id: 's', type: 'start', position: at(0), data: {} },
    {
      id: 'name',
      type: 'question',
      position: at(1),
      data: { text: '¿Cómo te llamás?', variable: 'nombre', ends: ['invalid'] },
    },
    { id: 'thanks', type: 'message', position: at(2), data: { text: 'Gracias, {{flujo.nombre}}.', ends: ['next'] } },
  ],
  edges: [
    { source: 's', target: 'name' },
    { source: 'name', target: 'thanks' },
  ],
}

test('a bot’s message links to the step that sent it, and each step shows what customers did there', {
  tag: '@nightly',
}, async ({ page, org, openInbox }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Bienvenida',
    graph,
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  type Runs = { items: { state: string; steps: number }[] }
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('hola')
  await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items[0]?.steps === 2)
  await lucia.says('Lucía')
  await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items[0]?.state === 'finished')
  const pedro = org.customer(2, 'Pedro Gil')
  await pedro.says('hola')
  await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items.length === 2 && items[0]?.steps === 2)
  await pedro.says('salir')
  await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items[0]?.state === 'left')

  await page.setViewportSize({ width: 1440, height: 900 })
  await openInbox(page, lucia.phone)
  const thanks = page.locator('.said').filter({ hasText: 'Gracias, Lucía.' })
  await thanks.hover()
  await thanks.getByRole('button', { name: 'Por qué' }).click()
  await expect(page.getByRole('heading', { name: 'Lucía Méndez en Bienvenida' })).toBeVisible()
  const marked = page.locator('[aria-current="step"]').filter({ hasText: 'Gracias' })
  await expect(marked).toBeVisible()
  await expect(page.getByText('Ese mensaje lo mandó el paso marcado.')).toBeVisible()
  await expect(page.getByText('respuesta guardada · sigue por «Después»')).toBeVisible()
  await expect(page.getByText('nombre: Lucía')).toBeVisible()
  await expect(page.getByText('Escribe: hola', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'flow-run')

  await page.getByRole('link', { name: 'Todas las ejecuciones' }).click()
  const runs = page.getByRole('region', { name: 'Ejecuciones' }).getByRole('listitem')
  await expect(runs).toHaveCount(2)
  await expect(runs.first()).toContainText('Pedro Gil')
  await expect(runs.first()).toContainText('Salió')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-runs-390')
  await runs.last().getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Lucía Méndez en Bienvenida' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Acciones de Bienvenida' }).click()
  await page.getByRole('menuitem', { name: 'Ver cifras en los pasos' }).click()
  const panel = page.getByRole('complementary', { name: 'Cifras de los pasos' })
  await expect(panel).toContainText('De las últimas 2 ejecuciones.')
  await expect(panel.getByRole('listitem').first()).toContainText('1 abandonó (50 %)')
  const question = page.locator('.flow-card').filter({ hasText: '¿Cómo te llamás?' })
  await expect(question).toContainText('2 entraron')
  await expect(question).toContainText('1 abandonó')
  await expectAccessible(page)
  await picture(page, 'flow-figures')
  await page.getByRole('button', { name: 'Esquema' }).click()
  await expect(page.locator('[data-step="name"]')).toContainText('1 abandonó')
  await expectAccessible(page)
})

test('a draft is replayed with customers’ messages and lists the differences', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Bienvenida',
    graph,
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  type Runs = { items: { state: string; steps: number }[] }
  for (const [n, name, answer] of [
    [1, 'Lucía Méndez', 'Lucía'],
    [2, 'Pedro Gil', '1155550000'],
  ] as const) {
    const customer = org.customer(n, name)
    await customer.says('hola')
    await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items.length === n && items[0]?.steps === 2)
    await customer.says(answer)
    await org.until<Runs>(`/whatsapp/flows/${id}/runs`, ({ items }) => items[0]?.state === 'finished')
  }
  const [start, name, thanks] = graph.nodes
  await org.call('PUT', `/whatsapp/flows/${id}`, {
    revision: 1,
    graph: {
      nodes: [
        start,
        {
          ...name,
          data: { text: '¿Tu teléfono?', expects: 'phone', attempts: 1, variable: 'nombre' },
        },
        thanks,
        { id: 'person', type: 'handoff', position: { x: 720, y: 260 }, data: {} },
      ],
      edges: [...graph.edges, { source: 'name', sourceHandle: 'invalid', target: 'person' }],
    },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Acciones de Bienvenida' }).click()
  await page.getByRole('menuitem', { name: 'Repetir conversaciones' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Repetir' }).click()
  await expect(dialog.getByRole('status')).toHaveText('Se repitieron 2 conversaciones.')
  const different = dialog.getByRole('list', { name: 'Conversaciones que serían distintas' })
  await expect(different).toContainText('Lucía Méndez')
  await expect(different).toContainText('Pedro Gil')
  await expect(dialog.getByText('Ver también las iguales')).toHaveCount(0)
  await different.getByText('Pedro Gil').click()
  await expect(different).toContainText('Antes: ¿Cómo te llamás?')
  await different.getByText('Pedro Gil').click()
  await different.getByText('Lucía Méndez').click()
  await expect(different).toContainText('¿Tu teléfono?')
  await expect(different).toContainText('Se aparta')
  await expectAccessible(page)
  await picture(page, 'flow-replay')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await expect(dialog).toHaveCount(0)

  // The replay is independent of the page that started it.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.reload()
  await page.getByRole('button', { name: 'Acciones de Bienvenida' }).click()
  await page.getByRole('menuitem', { name: 'Repetir conversaciones' }).click()
  await expect(dialog.getByRole('status')).toHaveText('Se repitieron 2 conversaciones.')
  await expect(different).toContainText('Lucía Méndez')
  await expect(dialog.getByText(/^La empezó /)).toBeVisible()
})
