import { paths } from '#shared/kernel/paths.ts'
import { expect, type Org, type Page, test } from './fixtures.ts'

const greeting = 'Hola, ¿en qué te ayudo?'
const hours = 'Abrimos de 9 a 18.'

const published = async (page: Page) => {
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Publicar ahora' }).press('Enter')
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')
}

/** Runs the flow as a customer: gets the greeting, taps the only button, gets its answer. */
const isGoneThrough = async (org: Org, flowId: string) => {
  type Runs = { items: { id: string; state: string; steps: number }[] }
  const lucia = org.customer(1, 'Lucía Méndez')
  await lucia.says('hola')
  await org.until<Runs>(`/whatsapp/flows/${flowId}/runs`, ({ items }) => items[0]?.steps === 2)
  await lucia.says('Horarios')
  const { items } = await org.until<Runs>(
    `/whatsapp/flows/${flowId}/runs`,
    ({ items }) => items[0]?.state === 'finished',
  )
  type Run = { timeline: { input: string | null; why: string | null }[] }
  const { timeline } = await org.call<Run>('GET', `/whatsapp/flow-runs/${items[0]?.id}`)
  expect(timeline.map(({ input }) => input).filter(Boolean)).toEqual(['hola', 'Horarios'])
}

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) as string

test('a welcome menu is built from scratch by mouse, and a customer goes through it', async ({ page, org }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('main').getByRole('button', { name: 'Crear flujo' }).first().click()
  await page.getByRole('button', { name: /^Vacío/ }).click()
  const nodes = page.locator('.react-flow__node')
  await expect(nodes).toHaveCount(1)
  await nodes.first().click()
  const panel = page.locator('.flow-panel')
  await panel.getByRole('button', { name: 'Agregar disparador' }).click()
  await page.getByRole('menuitem', { name: /^Palabra/ }).click()
  await panel.getByLabel('Palabras').fill('hola')
  await nodes
    .first()
    .getByRole('button', { name: /^Agregar un paso/ })
    .click()
  await page.getByRole('menuitem', { name: 'Botones', exact: true }).click()
  await expect(nodes).toHaveCount(2)
  await panel.getByLabel('Texto del mensaje').fill(greeting)
  await panel.getByRole('textbox', { name: 'Opción 1' }).fill('Horarios')
  await panel.getByRole('combobox', { name: 'Otra respuesta' }).selectOption({ label: 'Terminar el flujo' })
  await panel.getByRole('combobox', { name: 'Horarios' }).selectOption({ label: 'Mensaje' })
  await expect(nodes).toHaveCount(3)
  await panel.getByLabel('Texto del mensaje').fill(hours)
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await published(page)
  await isGoneThrough(org, idIn(page))
})

test('the same menu is built by keyboard alone in the outline, and a customer goes through it', async ({
  page,
  org,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('main').getByRole('button', { name: 'Crear flujo' }).first().press('Enter')
  await page.getByRole('button', { name: /^Vacío/ }).press('Enter')
  await page.getByRole('button', { name: 'Esquema' }).press('Enter')
  const steps = page.locator('[data-step]')
  await expect(steps).toHaveCount(1)
  await steps.first().press('Enter')
  const panel = page.locator('.flow-panel')
  await panel.getByRole('button', { name: 'Agregar disparador' }).press('Enter')
  await page.getByRole('menuitem', { name: /^Palabra/ }).press('Enter')
  await panel.getByLabel('Palabras').focus()
  await page.keyboard.type('hola')
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Botones' })
  await expect(panel.getByLabel('Texto del mensaje')).toBeFocused()
  await page.keyboard.type(greeting)
  await panel.getByRole('textbox', { name: 'Opción 1' }).focus()
  await page.keyboard.type('Horarios')
  await panel.getByRole('combobox', { name: 'Otra respuesta' }).selectOption({ label: 'Terminar el flujo' })
  await panel.getByRole('combobox', { name: 'Horarios' }).focus()
  // The first letter already chooses a kind of step; the step is added once it was confirmed.
  await page.keyboard.type('Mens')
  await expect(steps).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(panel.getByLabel('Texto del mensaje')).toBeFocused()
  await page.keyboard.type(hours)
  await panel.getByRole('combobox', { name: 'Después' }).selectOption({ label: 'Terminar el flujo' })
  await expect(steps).toHaveCount(3)
  await published(page)
  await isGoneThrough(org, idIn(page))
})
