import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('an HTTP step is filled in with a secret, tried, and published', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  complaints.announce(/^400 POST \/api\/whatsapp\/flow-secrets/, /^409 DELETE \/api\/whatsapp\/flow-secrets/)
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Estado del pedido',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        {
          ...{ id: 'q', type: 'question', position: { x: 360, y: 0 } },
          data: { text: '¿Qué número de pedido?', variable: 'pedido', ends: ['next', 'invalid'] },
        },
      ],
      edges: [{ id: 'e', source: 's', target: 'q' }],
    },
    triggers: [{ id: 't', kind: 'manual' }],
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Esquema' }).click()
  const step = (name: string) => page.locator('[data-step]').filter({ hasText: name })
  await step('Pregunta').click()
  await page.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Consultar un servicio' })
  const panel = page.getByRole('complementary', { name: 'Paso: Consultar un servicio' })

  await panel.getByRole('button', { name: 'Secretos' }).click()
  const secrets = page.getByRole('dialog')
  await expect(secrets.getByText('Todavía no hay secretos.')).toBeVisible()
  await secrets.getByRole('button', { name: 'Agregar secreto' }).click()
  await secrets.getByLabel('Nombre').fill('Llave Tienda')
  await expect(secrets.getByText('{{secret.llave_tienda}}')).toBeVisible()
  await secrets.getByLabel('Dominio').fill('localhost')
  await secrets.getByLabel('Valor').fill('clave-4711')
  await secrets.getByRole('button', { name: 'Guardar secreto' }).click()
  await expect(secrets.getByRole('alert')).toBeVisible()
  await secrets.getByLabel('Dominio').fill('api.tienda.example')
  await secrets.getByRole('button', { name: 'Guardar secreto' }).click()
  await expect(secrets.getByText('Se manda a api.tienda.example')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'flow-secrets')
  await secrets.getByRole('button', { name: 'Cerrar' }).click()

  await panel.getByLabel('Dirección').fill('http://api.tienda.example/{{flujo.pedido}}')
  // What is wrong with a new step is said once it was left.
  await step('Pregunta').click()
  await step('Consultar un servicio').click()
  await expect(panel.getByText(/tiene que empezar con https/).first()).toBeVisible()
  await panel.getByLabel('Dirección').fill('https://api.tienda.example/pedidos/{{flujo.pedido}}')
  await panel.getByRole('button', { name: 'Agregar encabezado' }).click()
  const header = panel.getByRole('group', { name: 'Encabezado 1' })
  await header.getByLabel('Nombre').fill('Authorization')
  await header.getByLabel('Valor').fill('Bearer {{sec')
  await page.getByRole('option', { name: 'secret.llave_tienda' }).click()
  await expect(header.getByLabel('Valor')).toHaveValue('Bearer {{secret.llave_tienda}}')
  await panel.getByRole('button', { name: 'Guardar un dato' }).click()
  const kept = panel.getByRole('group', { name: 'Dato 1' })
  await kept.getByLabel('Qué tomar').fill('pedido.estado')
  await kept.getByLabel('Guardar como').fill('estado')
  await panel.getByLabel('Contenido').fill('{"pedido":{"estado":"en camino"}}')
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Mensaje' })
  const message = page.getByRole('complementary', { name: 'Paso: Mensaje' })
  await message.getByLabel('Texto del mensaje').fill('Tu pedido está {{flujo.estado}}.')
  await message.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await step('Consultar un servicio').click()
  await expect(step('Consultar un servicio')).toContainText('GET https://api.tienda.example')
  await expect(panel.getByRole('combobox', { name: 'Si falla' })).toHaveValue('')
  await expectAccessible(page)
  await picture(page, 'flow-http')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()

  // The name does not resolve; that is a valid result, too.
  await panel.getByRole('button', { name: 'Llamar de verdad' }).click()
  const real = page.getByRole('dialog', { name: 'Llamar de verdad' })
  await real.getByLabel('Valor de pedido').fill('1042')
  await real.getByRole('button', { name: 'Llamar de verdad' }).click()
  await expect(real.getByText('Sigue por «Si falla».')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'flow-http-call')
  await real.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByRole('button', { name: 'Probar', exact: true }).click()
  const play = page.getByRole('complementary', { name: 'Probar el flujo' })
  await play.getByLabel('Escribí como el cliente').fill('1042')
  await play.getByRole('button', { name: 'Enviar' }).click()
  await expect(play.getByText('Tu pedido está en camino.')).toBeVisible()
  await play.getByText(/^Recorrido/).click()
  await expect(play.getByText(/el servicio contestó · 200 en 0\sms/)).toBeVisible()
  await play.getByRole('button', { name: 'Cerrar el panel' }).click()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')

  await page.setViewportSize({ width: 390, height: 844 })
  await step('Consultar un servicio').click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-http-390')

  await page.goto(paths.flows(org.slug))
  await page.getByRole('button', { name: 'Opciones de flujos' }).click()
  await page.getByRole('menuitem', { name: 'Secretos' }).click()
  await expect(secrets.getByText('Lo usa: Estado del pedido')).toBeVisible()
  await secrets.getByRole('button', { name: 'Acciones de llave_tienda' }).click()
  await page.getByRole('menuitem', { name: 'Eliminar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByRole('alert')).toContainText('está publicado y usa ese secreto')
  await expectNoSidewaysScroll(page)
})
