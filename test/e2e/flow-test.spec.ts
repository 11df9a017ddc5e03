import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a draft is tested on its author’s phone, and customers notice nothing', async ({ page, org }) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Talles',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        {
          id: 'q',
          type: 'question',
          position: { x: 360, y: 0 },
          data: { text: '¿Qué talle?', variable: 'talle', ends: ['next', 'invalid'] },
        },
      ],
      edges: [{ id: 'e', source: 's', target: 'q' }],
    },
    triggers: [],
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Acciones de Talles' }).click()
  await page.getByRole('menuitem', { name: 'Probar en mi WhatsApp' }).click()
  const dialog = page.getByRole('dialog', { name: 'Probar en mi WhatsApp' })
  await dialog.getByRole('button', { name: 'Empezar la prueba' }).click()
  const word = dialog.getByText(/^PROBAR [0-9]{6}$/)
  await expect(word).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveText('Esperando tu mensaje…')
  await expectAccessible(page)
  await picture(page, 'flow-test')

  const ana = org.customer(1, 'Ana en su casa')
  await ana.says(await word.innerText())
  await expect(dialog.getByRole('status')).toContainText('Empezó con Ana en su casa')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await picture(page, 'flow-test-390')
  await ana.says('42')
  await expect(dialog.getByRole('status')).toContainText('Terminó con')
  await dialog.getByRole('link', { name: 'Ver paso a paso' }).click()
  await expect(page.getByRole('heading', { name: 'Ana en su casa en Talles' })).toBeVisible()
  await expect(page.getByText('Borrador de prueba')).toBeVisible()
  await expect(page.getByText('talle: 42')).toBeVisible()
  await page.getByRole('link', { name: 'Todas las ejecuciones' }).click()
  await expect(page.getByRole('region', { name: 'Ejecuciones' }).getByRole('listitem')).toContainText('Prueba')

  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: 'Acciones de Talles' }).click()
  await page.getByRole('menuitem', { name: 'Probar en mi WhatsApp' }).click()
  await dialog.getByRole('button', { name: 'Terminar la prueba' }).click()
  await expect(word).toHaveCount(0)
})
