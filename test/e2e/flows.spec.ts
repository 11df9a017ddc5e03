import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('a flow is created from a starter, changed by keyboard in the outline, and published', async ({ page, org }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flows(org.slug))
  await page.getByRole('main').getByRole('button', { name: 'Crear flujo' }).first().click()
  await page.getByRole('button', { name: /^Menú de bienvenida/ }).click()
  await expect(page.getByLabel('Nombre del flujo')).toHaveValue('Menú de bienvenida')
  await expect(page.locator('.react-flow__node')).toHaveCount(8)
  await expectAccessible(page)
  await picture(page, 'flow-canvas')

  await page.getByRole('button', { name: 'Esquema' }).press('Enter')
  const steps = page.locator('[data-step]')
  await expect(steps).toHaveCount(8)
  await steps.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const text = page.getByLabel('Texto del mensaje')
  await expect(text).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' {{contacto.n')
  await expect(page.getByRole('option', { name: 'contacto.nombre' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue(/¿En qué te puedo ayudar\? \{\{contacto\.nombre\}\}$/)
  // An exit is connected to a new step, which gets the focus.
  await page.getByRole('combobox', { name: 'Otra respuesta' }).selectOption({ label: 'Mensaje' })
  await expect(text).toBeFocused()
  await page.keyboard.type('Contame un poco más.')
  await expect(steps).toHaveCount(9)
  await expectAccessible(page)
  await picture(page, 'flow-outline')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar' }).press('Enter')
  await page.getByLabel('Qué cambió (opcional)').fill('Pregunta más')
  await page.getByRole('button', { name: 'Publicar ahora' }).press('Enter')
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')
  await expect(page.getByRole('button', { name: 'Todo publicado' })).toBeVisible()
  await steps.nth(1).click()
  await text.fill('Hola, {{contacto.nombre}}: ¿en qué te ayudamos?')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar un cambio' }).click()
  await page.getByRole('button', { name: 'Publicar ahora' }).click()
  await expect(page.getByRole('button', { name: 'Todo publicado' })).toBeVisible()
  // What was undone needs no publishing, here and after a reload.
  await steps.filter({ hasText: 'Contame un poco más.' }).first().click()
  await text.fill('¿Qué necesitás?')
  await expect(page.getByRole('button', { name: 'Publicar un cambio' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByRole('button', { name: 'Todo publicado' })).toBeVisible()
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(steps.nth(1)).toContainText('Hola, Nombre:')
  await expect(page.locator('.flow-bar .chip')).toHaveText('Publicado')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'Dónde estás' }).getByRole('link').click()
  await expect(page.getByRole('row', { name: /Menú de bienvenida/ })).toContainText('Publicado')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('a flow with running sessions is deleted together with them, or not at all', { tag: '@nightly' }, async ({
  page,
  org,
  complaints,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Turnos',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        {
          id: 'q',
          type: 'question',
          position: { x: 300, y: 0 },
          data: { text: '¿Qué día?', variable: 'dia', ends: ['next', 'invalid'] },
        },
      ],
      edges: [{ id: 'e', source: 's', sourceHandle: 'next', target: 'q' }],
    },
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['turno'] }],
  })
  await org.call('POST', `/whatsapp/flows/${id}/publish`, {})
  await org.customer(1, 'Lucía Méndez').says('turno')
  await org.until<{ items: { state: string }[] }>(`/whatsapp/flows/${id}/runs`, ({ items }) => items.length === 1)

  await page.goto(paths.flows(org.slug))
  await page.getByRole('button', { name: 'Acciones de Turnos' }).click()
  await page.getByRole('menuitem', { name: 'Eliminar' }).click()
  const dialog = page.getByRole('dialog')
  complaints.announce(/^409 DELETE \/api\/whatsapp\/flows\//)
  await dialog.getByRole('button', { name: 'Eliminar flujo' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Hay clientes en medio de este flujo')
  await dialog.getByLabel(/^Terminar también las ejecuciones/).check()
  await expectAccessible(page)
  await picture(page, 'flow-removal')
  await dialog.getByRole('button', { name: 'Eliminar flujo' }).click()
  await expect(page.getByText('Se eliminó Turnos.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Turnos/ })).toHaveCount(0)
})

test('the problem list names the exit that leads nowhere', { tag: '@nightly' }, async ({ page, org }) => {
  const text = 'Elegí una de estas opciones para seguir, por favor'
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'A medias',
    graph: {
      nodes: [
        { id: 's', type: 'start' },
        { id: 'b', type: 'buttons', data: { text, options: [{ id: 'a', title: 'Turnos' }] } },
      ],
      edges: [{ source: 's', target: 'b' }],
    },
    triggers: [{ kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await page.goto(paths.flow(org.slug, id))
  await page.getByRole('button', { name: '2 problemas' }).click()
  for (const way of ['Turnos', 'Otra respuesta']) {
    const where = page.locator('.flow-problem-where').filter({ hasText: `→ ${way}` })
    await expect(where).toBeVisible()
    expect(await where.evaluate(node => node.scrollWidth <= node.clientWidth), `${way} is seen whole`).toBe(true)
  }
})

test('a step just added is not called ready to publish, and its problem is shown once it is left', async ({
  page,
  org,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'A medias',
    graph: {
      nodes: [
        { id: 's', type: 'start' },
        { id: 'm', type: 'message', data: { text: 'Hola' } },
      ],
      edges: [{ source: 's', target: 'm' }],
    },
    triggers: [{ kind: 'keyword', match: 'equals', words: ['hola'] }],
  })
  await page.goto(paths.flow(org.slug, id))
  const button = page.locator('.flow-problems-button')
  await expect(button, 'the message leads nowhere').toHaveText('1 problema')
  const nodes = page.locator('.react-flow__node')
  const add = async () => {
    await nodes
      .last()
      .getByRole('button', { name: /^Agregar un paso/ })
      .click()
    await page.getByRole('menuitem', { name: 'Mensaje', exact: true }).click()
    await expect(page.getByLabel('Texto del mensaje')).toBeFocused()
  }
  await add()
  await expect(button).toHaveText('Problemas')
  await page.keyboard.press('Escape')
  await expect(button, 'the new one leads nowhere and has no text').toHaveText('2 problemas')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(button).toHaveText('1 problema')
  await add()
  await expect(button).toHaveText('Problemas')
  await button.click()
  await expect(page.getByRole('complementary', { name: 'Problemas' }).getByRole('listitem')).toHaveCount(2)
})

test('all steps are selected, copied into another flow, and removed again by undo', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const make = async (name: string, texts: string[]) => {
    const nodes = texts.map((text, i) => ({
      id: `m${i}`,
      type: 'message',
      position: { x: 340 * (i + 1), y: 0 },
      data: { text },
    }))
    const ids = ['s', ...nodes.map(({ id }) => id)]
    const edges = nodes.map(({ id }, i) => ({ source: ids[i], target: id }))
    const graph = { nodes: [{ id: 's', type: 'start', position: { x: 0, y: 0 } }, ...nodes], edges }
    return (await org.call<{ id: string }>('POST', '/whatsapp/flows', { name, graph, triggers: [] })).id
  }
  const [from, to] = [await make('De acá', ['Uno', 'Dos', 'Tres']), await make('Para acá', ['Otro'])]
  const steps = page.locator('.react-flow__node')
  await page.goto(paths.flow(org.slug, from))
  await expect(steps).toHaveCount(4)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(4)
  await page.keyboard.press('ControlOrMeta+c')
  await expect(page.getByText('Se copiaron 3 pasos.')).toBeVisible()
  await page.goto(paths.flow(org.slug, to))
  await expect(steps).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+v')
  await expect(steps).toHaveCount(5)
  await expect(page.locator('.react-flow__edge')).toHaveCount(3)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(steps).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+y')
  await expect(steps).toHaveCount(5)
  // Another browser has no stored copy: there it comes from the clipboard.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => localStorage.removeItem('recado:flow-steps'))
  await page.goto(paths.flow(org.slug, from))
  await expect(steps).toHaveCount(4)
  await page.locator('.react-flow__node', { hasText: 'Dos' }).click()
  await page.locator('.react-flow__node', { hasText: 'Dos' }).focus()
  await page.keyboard.press('ControlOrMeta+c')
  await expect(page.getByText('Se copió 1 paso.')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('recado:flow-steps'))
  await page.goto(paths.flow(org.slug, to))
  await expect(steps).toHaveCount(5)
  await page.locator('.react-flow__node').first().focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(steps).toHaveCount(6)
  // In a field the shortcut belongs to the field.
  await page.getByLabel('Nombre del flujo').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Con copias')
  await expect(page.getByLabel('Nombre del flujo')).toHaveValue('Con copias')
})
