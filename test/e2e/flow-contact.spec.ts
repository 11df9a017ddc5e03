import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a step stores the customer’s answer as their name', { tag: '@nightly' }, async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Conocernos',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        {
          id: 'q',
          type: 'question',
          position: { x: 360, y: 0 },
          data: { text: '¿Cómo te llamás?', variable: 'nombre', ends: ['next', 'invalid'] },
        },
      ],
      edges: [{ id: 'e', source: 's', target: 'q' }],
    },
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await page.setViewportSize({ width: 820, height: 1100 })
  await page.goto(paths.flow(org.slug, id))
  const step = (name: string) => page.locator('[data-step]').filter({ hasText: name })
  await step('Pregunta').click()
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Guardar un dato' })
  await page.getByLabel('Dónde se guarda').selectOption({ label: 'En el nombre del contacto' })
  await expect(page.getByLabel('Nombre del dato')).toHaveCount(0)
  await page.getByLabel('Valor', { exact: true }).fill('{{flujo.nombre}}')
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-contact-820')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')

  const lucia = org.customer(1, 'Lu')
  await lucia.says('hola')
  await org.until<{ items: object[] }>(`/whatsapp/flows/${id}/runs`, ({ items }) => items.length === 1)
  await lucia.says('Lucía Méndez')
  await org.until<{ name: string | null }>(
    `/whatsapp/conversations/${lucia.phone}/contact`,
    ({ name }) => name === 'Lucía Méndez',
  )
})
