import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a step that runs another flow is added, uses its variables, and is tried', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const draw = (name: string, nodes: object[], edges: object[]) =>
    org.call<{ id: string }>('POST', '/whatsapp/flows', {
      name,
      graph: {
        nodes: [{ id: 's', type: 'start', position: { x: 0, y: 0 }, data: { ends: ['next'] } }, ...nodes],
        edges,
      },
      triggers: [{ id: 't', kind: 'manual' }],
    })
  const question = {
    id: 'q',
    type: 'question',
    position: { x: 360, y: 0 },
    data: { text: '¿Qué día venís?', variable: 'dia', ends: ['next', 'invalid'] },
  }
  const inner = await draw('Elegir día', [question], [{ source: 's', target: 'q' }])
  await org.call('POST', `/whatsapp/flows/${inner.id}/publish`, {})
  const { id } = await draw('Turnos', [], [])

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Esquema' }).click()
  const step = (name: string) => page.locator('[data-step]').filter({ hasText: name })
  await step('Inicio').click()
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Otro flujo' })
  const panel = page.getByRole('complementary', { name: 'Paso: Otro flujo' })
  await panel.getByLabel('Qué flujo hace').selectOption({ label: 'Elegir día' })
  await expect(step('Otro flujo')).toContainText('Elegir día')
  await expect(panel.getByRole('link', { name: 'Abrir «Elegir día»' })).toHaveAttribute(
    'href',
    paths.flow(org.slug, inner.id),
  )
  await expectAccessible(page)
  await picture(page, 'flow-subflow')
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Mensaje' })
  const text = page.getByLabel('Texto del mensaje')
  await text.fill('Te esperamos el {{flujo.d')
  await text.press('End')
  await page.getByRole('option', { name: 'flujo.dia', exact: true }).click()
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await expect(text).toHaveValue('Te esperamos el {{flujo.dia}}')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Probar', exact: true }).click()
  const chat = page.getByRole('log', { name: 'Conversación de prueba' })
  await expect(chat).toContainText('¿Qué día venís?')
  await page.getByLabel('Escribí como el cliente').fill('martes')
  await page.getByLabel('Escribí como el cliente').press('Enter')
  await expect(chat).toContainText('Te esperamos el martes')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
