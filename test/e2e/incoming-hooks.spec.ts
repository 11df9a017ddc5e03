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
    ...{ locale: 'en-GB', width: 1440, card: 'Incoming hooks', add: 'Create from an example', name: 'Name' },
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

    test('a developer makes an incoming hook from an example, and a program calls it', async ({ page, org }) => {
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
