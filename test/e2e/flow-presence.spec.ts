import { paths } from '#shared/kernel/paths.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from './fixtures.ts'

test('an editor sees who else has the flow open and who is editing, and loads what they saved', {
  tag: '@nightly',
}, async ({ page, org, another }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', {
    name: 'Turnos',
    graph: {
      nodes: [
        { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
        { id: 'm', type: 'message', position: { x: 300, y: 0 }, data: { text: '¡Hola!', ends: ['next'] } },
      ],
      edges: [{ id: 'e', source: 's', sourceHandle: 'next', target: 'm' }],
    },
    triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: ['turno'] }],
  })
  const marta = await another(await org.colleague('Marta', 'admin'))
  await page.goto(paths.flow(org.slug, id))
  const seen = page.locator('.flow-presence')
  await expect(page.locator('.react-flow__node')).toHaveCount(2)
  await expect(seen).toHaveCount(0)
  await marta.goto(paths.flow(org.slug, id))
  await expect(seen).toHaveText(/Marta.* está mirando/)
  const fetched: string[] = []
  marta.on('request', request => {
    if (request.method() === 'GET' && new URL(request.url()).pathname.endsWith(`/flows/${id}`))
      fetched.push(request.url())
  })
  await marta.getByLabel('Nombre del flujo').fill('Turnos del local')
  await expect(seen).toHaveText(/Marta.* está editando/)
  await expect(page.getByLabel('Nombre del flujo')).toHaveValue('Turnos del local')
  await expect(marta.locator('.flow-presence')).toHaveText(/está mirando/)
  expect(fetched, 'what one saved oneself is not fetched again').toEqual([])
  await expectAccessible(page)
  await picture(page, 'flow-presence')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await picture(page, 'flow-presence-390')
  await marta.goto(paths.flows(org.slug))
  await expect(seen).toHaveCount(0)
})
