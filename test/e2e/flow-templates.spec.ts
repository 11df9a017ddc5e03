import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a template step is added, filled in with the customer’s data, and published', {
  tag: '@nightly',
}, async ({ page, org }) => {
  await org.call('POST', '/whatsapp/template/sync')
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Pedido listo',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: { ends: ['next'] } },
        { id: 'm', type: 'message', position: { x: 360, y: 0 }, data: { text: '¿Seguís ahí?', ends: ['next'] } },
      ],
      edges: [{ id: 'e', source: 's', target: 'm' }],
    },
    triggers: [{ id: 't', kind: 'manual' }],
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Esquema' }).click()
  const step = (name: string) => page.locator('[data-step]').filter({ hasText: name })
  await step('Mensaje').click()
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Plantilla' })
  const panel = page.getByRole('complementary', { name: 'Paso: Plantilla' })
  await panel.getByRole('button', { name: /pedido_listo/ }).click()
  await panel.getByLabel('Valor de «Hola ___»').fill('{{contacto.nombre|vos}}')
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await expect(panel.getByRole('region', { name: 'Así lo ve el cliente' })).toContainText('contacto.nombre')
  await expectAccessible(page)
  await picture(page, 'flow-template')
  await page.getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByText('Falta el valor de «tu pedido ___».').first()).toBeVisible()
  await step('Plantilla').click()
  await panel.getByLabel('Valor de «tu pedido ___»').fill('1042')
  await expect(step('Plantilla')).toContainText('tu pedido 1042')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')

  // The canvas shows it as the customer reads it.
  await page.getByRole('button', { name: 'Lienzo' }).click()
  const bubble = page.locator('.flow-card', { hasText: 'pedido_listo' }).locator('.flow-card-bubble')
  await expect(bubble).toContainText('1042')
  await expect(bubble).toContainText('Nombre')
  await picture(page, 'flow-template-card')
  await page.getByRole('button', { name: 'Esquema' }).click()
  await step('Mensaje').click()
  const message = page.getByRole('complementary', { name: 'Paso: Mensaje' })
  await message.getByLabel('Con la ventana de 24 horas cerrada, mandar una plantilla').check()
  await message.getByRole('button', { name: /pedido_listo/ }).click()
  await expect(message.getByLabel('Valor de «Hola ___»')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-fallback-390')
})
