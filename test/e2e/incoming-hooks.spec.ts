import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'
import { inTurn } from './in-turn.ts'

const words = {
  es: {
    ...{ locale: 'es-AR', width: 390, card: 'Entrantes', add: 'Crear con un ejemplo', name: 'Nombre' },
    ...{ sample: 'Ejemplo de lo que manda el programa', does: 'Qué hace', note: 'Escribe una nota' },
    ...{ number: 'Número del cliente', text: 'Nota', field: 'Campo del ejemplo para «Nota»' },
    ...{ test: 'Probar con el ejemplo', would: /^Funciona: Escribió una nota/, save: 'Guardar' },
    ...{ added: '«Pedido listo» ya tiene su dirección', kept: 'Ya la guardé', active: '1 activa' },
    ...{ actions: 'Acciones de Pedido listo', calls: 'Llamadas', done: 'Hecha', wrote: /Escribió una nota en el chat/ },
  },
  en: {
    ...{ locale: 'en-GB', width: 1440, card: 'Incoming webhooks', add: 'Create from an example', name: 'Name' },
    ...{ sample: 'Example of what the program sends', does: 'What it does', note: 'Writes a note' },
    ...{ number: "Customer's number", text: 'Note', field: 'Field of the example for “Note”' },
    ...{ test: 'Try with the example', would: /^It works: Wrote a note/, save: 'Save' },
    ...{ added: '“Pedido listo” has its URL', kept: "I've saved it", active: '1 active' },
    ...{ actions: 'Actions for Pedido listo', calls: 'Calls', done: 'Done', wrote: /Wrote a note in the chat/ },
  },
} as const

for (const language of inTurn(['es', 'en'] as const)) {
  const w = words[language]
  test.describe(language, () => {
    test.use({ locale: w.locale, viewport: { width: w.width, height: 900 } })

    test('a developer makes an incoming webhook from an example, and a program calls it', async ({ page, org }) => {
      const lucia = org.customer(1, 'Lucía Méndez')
      await lucia.says('Hola')
      await page.goto(`/org/${org.slug}/integrations`)
      const card = page.getByRole('region', { name: w.card })
      const dialog = page.getByRole('dialog')
      await card.getByRole('button', { name: w.add }).press('Enter')
      await dialog.getByLabel(w.name, { exact: true }).fill('Pedido listo')
      const sample = { cliente: { telefono: `+${lucia.phone}` }, pedido: 'A-17' }
      await dialog.getByLabel(w.sample).fill(JSON.stringify(sample))
      await expect(dialog.getByLabel(w.number, { exact: true })).toHaveValue('{{cliente.telefono}}')
      await dialog.getByLabel(w.does).selectOption(w.note)
      await dialog.getByLabel(w.text, { exact: true }).fill('Está listo el pedido')
      await dialog.getByLabel(w.field).selectOption('pedido')
      await expect(dialog.getByLabel(w.text, { exact: true })).toHaveValue('Está listo el pedido {{pedido}}')
      await dialog.getByRole('button', { name: w.test }).press('Enter')
      await expect(dialog.getByText(w.would)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'incoming-hook')
      await dialog.getByRole('button', { name: w.save }).press('Enter')
      await expect(page.getByRole('dialog', { name: w.added })).toBeVisible()
      const url = (await dialog.locator('code').first().textContent()) ?? ''
      await expectAccessible(page)
      await dialog.getByRole('button', { name: w.kept }).press('Enter')
      await expect(card.getByText(w.active)).toBeVisible()
      await expect(card).not.toContainText(url)

      const reply = await page.request.post(new URL(url).pathname, { data: { ...sample, pedido: 'B-42' } })
      expect(reply.status()).toBe(201)
      await card.getByRole('button', { name: w.actions }).press('Enter')
      await page.getByRole('menuitem', { name: w.calls, exact: true }).press('Enter')
      const list = dialog.getByRole('list', { name: w.calls })
      await expect(list.getByText(w.done, { exact: true })).toBeVisible()
      await list.getByText(w.wrote).click()
      await expect(list).toContainText('B-42')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await picture(page, 'incoming-hook-calls')
      await page.goto(`/org/${org.slug}/c/${lucia.phone}`)
      await expect(page.getByText('Está listo el pedido B-42').first()).toBeVisible()
    })
  })
}

test.describe('in Spanish', () => {
  test.use({ locale: 'es-AR', viewport: { width: 390, height: 900 } })

  test('a hook fills fields of a contact, and sends one of more templates than a page lists', async ({ page, org }) => {
    const { id: field } = await org.call<{ id: string }>('POST', '/whatsapp/contact-fields', {
      ...{ label: 'CUIT', kind: 'text' },
    })
    for (let i = 1; i <= 31; i += 1) {
      const template = {
        ...{ name: `aviso_${i}`, language: 'es_AR', category: 'UTILITY' },
        components: [{ type: 'BODY', text: `Tu pedido está listo: pasá por la caja ${i} cuando quieras.` }],
      }
      const { id } = await org.call<{ id: string }>('POST', '/whatsapp/template', { template })
      await org.call('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
    }
    await org.call('POST', '/whatsapp/template/sync')
    await page.goto(`/org/${org.slug}/integrations`)
    const card = page.getByRole('region', { name: 'Entrantes' })
    const dialog = page.getByRole('dialog')
    await card.getByRole('button', { name: 'Crear con un ejemplo' }).press('Enter')
    await dialog.getByLabel('Nombre', { exact: true }).fill('Cliente nuevo')
    const sample = { telefono: '+54 9 11 5555 0771', nombre: 'Olga', cuit: '27-1' }
    await dialog.getByLabel('Ejemplo de lo que manda el programa').fill(JSON.stringify(sample))

    await dialog.getByLabel('Qué hace').selectOption('Manda una plantilla')
    const template = dialog.getByLabel('Plantilla aprobada')
    await dialog.getByLabel('Buscar plantilla').fill('aviso_1')
    await template.selectOption('aviso_1 (es_AR)')
    await dialog.getByLabel('Buscar plantilla').fill('aviso_31')
    await expect(template.getByRole('option', { name: 'aviso_31 (es_AR)' })).toBeAttached()
    await expect(template).toHaveValue('aviso_1 es_AR')
    await dialog.getByRole('button', { name: 'Probar con el ejemplo' }).press('Enter')
    await expect(dialog.getByText(/^Funciona/)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'incoming-hook-template')

    await dialog.getByLabel('Qué hace').selectOption('Guarda un contacto')
    await dialog.getByLabel('Nombre del contacto', { exact: true }).fill('{{nombre}}')
    await dialog.getByLabel('Campo del contacto: CUIT', { exact: true }).fill('{{cuit}}')
    await expectAccessible(page)
    await picture(page, 'incoming-hook-contact')
    await dialog.getByRole('button', { name: 'Guardar' }).press('Enter')
    const url = (await dialog.locator('code').first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Ya la guardé' }).press('Enter')
    expect((await page.request.post(new URL(url).pathname, { data: sample })).status()).toBe(201)
    const contact = await org.call<object>('GET', '/whatsapp/conversations/5491155550771/contact')
    expect(JSON.stringify(contact)).toContain('27-1')

    await card.getByRole('button', { name: 'Acciones de Cliente nuevo' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Editar' }).press('Enter')
    await expect(dialog.getByLabel('Campo del contacto: CUIT', { exact: true })).toHaveValue('{{cuit}}')
    await org.call('DELETE', `/whatsapp/contact-fields/${field}`)
    await page.reload()
    await card.getByRole('button', { name: 'Acciones de Cliente nuevo' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Editar' }).press('Enter')
    const gone = dialog.getByLabel('Campo que ya no existe', { exact: true })
    await expect(gone).toHaveValue('{{cuit}}')
    await gone.fill('')
    await dialog.getByRole('button', { name: 'Guardar' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    expect((await page.request.post(new URL(url).pathname, { data: sample })).status()).toBe(201)
  })
})
