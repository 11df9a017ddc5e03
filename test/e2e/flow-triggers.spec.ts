import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a flow is started by the answer to a bulk send or by an advertisement, and says so', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Promociones',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        { id: 'm', type: 'message', position: { x: 360, y: 0 }, data: { text: '¡Gracias!', ends: ['next'] } },
      ],
      edges: [{ id: 'e', source: 's', target: 'm' }],
    },
    triggers: [],
  })
  await page.setViewportSize({ width: 820, height: 1100 })
  await page.goto(paths.flow(org.slug, id))
  await page.locator('[data-step="s"]').click()
  for (const kind of ['Respuesta a un envío', 'Anuncio']) {
    await page.getByRole('button', { name: 'Agregar disparador' }).click()
    await page.getByRole('menuitem', { name: kind }).click()
  }
  const campaign = page.getByRole('group', { name: 'Respuesta a un envío' })
  await expect(campaign.getByLabel('Qué envío')).toHaveValue('')
  await campaign.getByLabel('Días desde el envío').fill('3')
  await page
    .getByRole('group', { name: 'Anuncio' })
    .getByLabel('Identificadores de anuncios')
    .fill('120226305854810726')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-triggers-820')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')

  await page.getByRole('button', { name: 'Acciones de Promociones' }).click()
  await page.getByRole('menuitem', { name: 'Probar un mensaje' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mensaje del cliente').fill('Me interesa')
  await dialog.getByRole('button', { name: 'Probar' }).click()
  await expect(dialog.getByRole('status')).toContainText('No empezaría ningún flujo')
  await dialog.getByLabel('Contesta un envío masivo').check()
  await dialog.getByRole('button', { name: 'Probar' }).click()
  await expect(dialog.getByRole('status')).toContainText('Empezaría: Promociones')
  await expect(dialog.getByRole('status')).toContainText('Contesta un envío')
  await dialog.getByText('Más sobre el cliente').click()
  await dialog.getByLabel('Quién lo atiende').selectOption({ label: 'Una persona' })
  await dialog.getByRole('button', { name: 'Probar' }).click()
  await expect(dialog.getByRole('status')).toContainText('lo lee la persona que tiene la conversación')
  await expect(dialog.getByRole('status')).toContainText('iría después')
  await dialog.getByLabel('Quién lo atiende').selectOption({ label: 'Nadie' })
  await dialog.getByLabel('Mensaje del cliente').fill('BAJA')
  await dialog.getByRole('button', { name: 'Probar' }).click()
  await expect(dialog.getByRole('status')).toContainText('es una palabra de baja o de alta')
  await picture(page, 'flow-try')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  const ad = await org.call<{ type: string }>('POST', '/sandbox/inbound', {
    from: '5491155501234',
    name: 'Sofía',
    text: 'Hola',
    adHeadline: 'Tortas a medida',
  })
  expect(ad).toBeTruthy()
  await org.until<{ items: { state: string }[] }>(
    `/whatsapp/flows/${id}/runs`,
    ({ items }) => items[0]?.state === 'finished',
  )
})

test('another program starts a flow at its address, which the editor shows and changes', async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Pedido en camino',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        {
          ...{ id: 'm', type: 'message', position: { x: 360, y: 0 } },
          data: { text: 'Tu pedido {{flujo.pedido}} salió.', ends: ['next'] },
        },
      ],
      edges: [{ id: 'e', source: 's', target: 'm' }],
    },
    triggers: [],
  })
  await org.call('POST', '/sandbox/inbound', { from: '5491155509911', name: 'Martina', text: 'Hola' })
  await org.until<{ items: unknown[] }>('/whatsapp/conversations', ({ items }) => items.length > 0)
  await org.call('POST', '/whatsapp/conversations/5491155509911/control', { owner: 'bot' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Esquema' }).click()
  await page.locator('[data-step="s"]').click()
  await page.getByRole('button', { name: 'Agregar disparador' }).click()
  await page.getByRole('menuitem', { name: 'Webhook entrante' }).click()
  const trigger = page.getByRole('group', { name: 'Webhook entrante' })
  await trigger.getByLabel('Datos que trae').fill('Pedido')
  const variables = trigger.getByLabel('Datos que trae')
  await expect(variables).toHaveValue('pedido')
  await variables.press('Control+End')
  await variables.pressSequentially('\npedido_monto')
  await expect(variables).toHaveValue('pedido\npedido_monto')
  const address = trigger.locator('code')
  await expect(address).toContainText('/hooks/')
  await expect(trigger.getByRole('region', { name: 'Ejemplo de llamada' })).toContainText('"pedido"')
  await expectAccessible(page)
  await picture(page, 'flow-hook-1440')
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')

  const first = new URL((await address.textContent()) ?? '').pathname
  const begin = (path: string) =>
    page.request.post(path, { data: { numberTel: '+54 9 11 5550-9911', variables: { pedido: 'A-17' } } })
  expect((await begin(first)).status()).toBe(201)
  await org.until<{ items: { state: string }[] }>(
    `/whatsapp/flows/${id}/runs`,
    ({ items }) => items[0]?.state === 'finished',
  )

  const beside = await page.context().newPage()
  await beside.goto(paths.flow(org.slug, id))
  await beside.getByRole('button', { name: 'Esquema' }).click()
  await beside.locator('[data-step="s"]').click()
  const addressBeside = beside.getByRole('group', { name: 'Webhook entrante' }).locator('code')
  await expect(addressBeside).toContainText(first)

  await page.setViewportSize({ width: 820, height: 1100 })
  await trigger.getByRole('button', { name: 'Cambiar la dirección' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cambiar', exact: true }).click()
  await expect(address).not.toContainText(first)
  await expect(dialog).toBeHidden()
  await expect(addressBeside).toHaveText((await address.textContent()) ?? '')
  await beside.close()
  expect((await begin(first)).status()).toBe(404)
  expect((await begin(new URL((await address.textContent()) ?? '').pathname)).status()).toBe(201)
  await expectNoSidewaysScroll(page)
  await trigger.scrollIntoViewIfNeeded()
  await picture(page, 'flow-hook-820')

  await page.goto(paths.flows(org.slug))
  await expect(page.getByText('Lo llama otro programa')).toBeVisible()
  await page.goto(paths.chat(org.slug, '5491155509911'))
  await expect(page.getByText('Tu pedido A-17 salió.').last()).toBeVisible()
})
