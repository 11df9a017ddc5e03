import { expect, type Locator, type Page, test } from './fixtures.ts'

const sentence = 'Dale, cierro esto en un rato. Pepe y Uma lo confirman?'
const field = (page: Page) => page.getByRole('textbox', { name: /^(Mensaje para|Nota)/ })

test('text typed after an action goes into the next answer, and no letter triggers a shortcut', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.call('POST', '/whatsapp/template/sync')
  await openInbox(page, lucia.phone)
  const tool = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const typesOn = async (after: string) => {
    await expect(dialog, after).toHaveCount(0)
    await expect(field(page), `the focus, ${after}`).toBeFocused()
    await page.keyboard.type(sentence)
    await expect(field(page), after).toHaveValue(sentence)
    await expect(dialog, after).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Desarchivar', exact: true }), after).toHaveCount(0)
    await field(page).fill('')
  }

  await page.getByRole('button', { name: 'Asignarme' }).click()
  await typesOn('after taking over')

  const chooser = page.waitForEvent('filechooser')
  await tool('Adjuntar archivos').click()
  await (await chooser).setFiles({ name: 'lista.txt', mimeType: 'text/plain', buffer: Buffer.from('uno') })
  await dialog.getByRole('button', { name: /^Enviar/ }).click()
  await typesOn('after a file')

  await tool('Enviar una plantilla').click()
  await dialog.getByRole('button', { name: /hola_mundo|hello_world/ }).click()
  await dialog.getByRole('button', { name: /^Enviar a/ }).click()
  await typesOn('after a template')

  for (const name of ['Enviar una plantilla', 'Programar envío', 'Iniciar flujo…', 'Emojis']) {
    await tool(name).click()
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"], .MuiDialog-root'))
    await page.keyboard.press('Escape')
    await typesOn(`after leaving ${name}`)
  }

  await tool('Programar envío').click()
  await dialog.getByRole('textbox', { name: 'Mensaje' }).fill('Mañana te aviso')
  await dialog.getByRole('button', { name: 'Mañana 9:00' }).click()
  await dialog.getByRole('button', { name: 'Programar', exact: true }).click()
  await typesOn('after a scheduled message')

  await page.getByRole('button', { name: /^Un mensaje programado/ }).click()
  await dialog.getByRole('button', { name: 'Cancelar envío' }).click()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await typesOn('after the list of scheduled messages')

  await tool('Más para enviar').click()
  await page.getByRole('menuitem', { name: 'Ubicación' }).click()
  await dialog.getByRole('textbox', { name: 'Coordenadas' }).fill('-34.6037, -58.3816')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await typesOn('after a place')

  await tool('Más para enviar').click()
  await page.getByRole('menuitem', { name: 'Ubicación' }).click()
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"], .MuiDialog-root'))
  await page.keyboard.press('Escape')
  await typesOn('after leaving a place')

  await page.getByRole('button', { name: 'Nota', exact: true }).click()
  await field(page).fill('Viene el lunes')
  await page.getByRole('button', { name: 'Guardar nota' }).click()
  await expect(page.locator('.bubble-text').filter({ hasText: 'Viene el lunes' })).toBeVisible()
  await typesOn('after a note')
})

for (const way of ['Enter', 'a click', 'an arrow and Enter'])
  test(`text typed after choosing whom to write to with ${way} goes into the opened chat`, async ({
    page,
    org,
    openInbox,
  }) => {
    const [lucia, pedro] = [org.customer(1, 'Lucía Méndez'), org.customer(2, 'Pedro Gil')]
    await pedro.says('Buenas')
    await lucia.says('Hola')
    await openInbox(page, pedro.phone)
    const asked = page.getByRole('dialog', { name: 'Chat nuevo' })
    // Also the chat that is open already.
    for (const opened of ['a closed chat', 'the open one']) {
      await page.getByRole('button', { name: 'Chat nuevo' }).click()
      await expect(asked.getByLabel('Nombre o número de WhatsApp')).toBeFocused()
      await page.keyboard.type('Lucía')
      const found = asked.getByRole('list', { name: 'Contactos' }).getByRole('button')
      await expect(found).toHaveText([/Lucía Méndez/])
      if (way === 'a click') await found.click()
      else {
        if (way !== 'Enter') {
          await page.keyboard.press('ArrowDown')
          await expect(found).toBeFocused()
        }
        await page.keyboard.press('Enter')
      }
      await expect(page.getByRole('heading', { name: 'Lucía Méndez' })).toBeVisible()
      await expect(field(page), opened).toBeFocused()
      await page.keyboard.type(sentence)
      await expect(field(page), opened).toHaveValue(sentence)
      await expect(page.getByRole('button', { name: 'Desarchivar', exact: true })).toHaveCount(0)
      await field(page).fill('')
    }
    // A button of the list's header does not belong to the list.
    await page.waitForTimeout(1100)
    await page.getByRole('button', { name: 'Chat nuevo' }).focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

test('of several people with a name, Enter opens the marked one', async ({ page, org, openInbox }) => {
  for (const [at, name] of ['Lucía Méndez', 'Pedro Gil', 'Ana Gil'].entries())
    await org.customer(at + 1, name).says('Hola')
  await openInbox(page, org.customer(1, 'Lucía Méndez').phone)
  const asked = page.getByRole('dialog', { name: 'Chat nuevo' })
  const found = asked.getByRole('list', { name: 'Contactos' }).getByRole('listitem')
  const marked = asked.locator('[data-marked]')
  const ask = async (typed: string, count: number) => {
    await page.getByRole('button', { name: 'Chat nuevo' }).click()
    await expect(asked.getByLabel('Nombre o número de WhatsApp')).toBeFocused()
    await page.keyboard.type(typed)
    await expect(found).toHaveCount(count)
  }
  await ask('gil', 2)
  await expect(marked).toHaveText([/Ana Gil/])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ana Gil' })).toBeVisible()

  await ask('5501', 3)
  await expect(marked, 'part of a number is no choice').toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')

  await ask('11 5501 0002', 1)
  await expect(marked).toHaveText([/Pedro Gil/])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Pedro Gil' })).toBeVisible()
})

test('letter keys act in the list and the thread, not elsewhere, and not right after typing', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  const keys = page.getByRole('dialog', { name: 'Atajos de teclado' })
  await expect(page.getByRole('log'), 'a chat opened by its address').toBeFocused()
  await page.locator('.list-search input').fill('x')
  await page.getByRole('link', { name: 'Contactos' }).focus()
  await page.keyboard.press('?')
  await expect(keys).toHaveCount(0)
  await page.waitForTimeout(1100)
  await page.keyboard.press('?')
  await expect(keys, 'the focus is in the sidebar').toHaveCount(0)
  await page.getByRole('log').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('?')
  await expect(keys, 'a second after a letter was held back').toHaveCount(0)
  await page.waitForTimeout(1100)
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
})

test('a line with only a slash and a word is not sent if no ready answer has that name', async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await openInbox(page, lucia.phone)
  await field(page).pressSequentially('/precio')
  await expect(page.getByText('Ninguna respuesta lista se llama «/precio»')).toBeVisible()
  await field(page).press('Enter')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(field(page)).toHaveValue('/precio')
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toHaveCount(0)
  await field(page).fill('Sale /precio por kilo')
  await field(page).press('Enter')
  await expect(page.getByRole('article', { name: 'Mensaje nuestro' })).toHaveCount(1)
})

test('Ctrl+Z removes an inserted emoji and an inserted ready answer', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('Hola')
  await org.call('POST', '/whatsapp/ready-answers', {
    title: 'Horario',
    shortcut: 'horario',
    text: 'Abrimos de 9 a 18.',
  })
  await openInbox(page, lucia.phone)
  await field(page).pressSequentially('Buenas ')
  await page.getByRole('button', { name: 'Emojis', exact: true }).click()
  await page.locator('.emoji:visible').first().click()
  await expect(field(page)).not.toHaveValue('Buenas ')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(field(page)).toHaveValue('Buenas ')
  await page.keyboard.type('/hor')
  await page.getByRole('option', { name: /Horario/ }).click()
  await expect(field(page)).toHaveValue('Buenas Abrimos de 9 a 18.')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(field(page)).toHaveValue('Buenas /hor')
})
