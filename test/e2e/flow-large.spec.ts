import { paths } from '#shared/kernel/paths.ts'
import { expect, picture, test } from './fixtures.ts'

/** A flow of the maximum size: a row of messages after the start, then more rows below. */
const large = {
  name: 'Grande',
  triggers: [{ id: 't', kind: 'manual' }],
  graph: {
    nodes: [
      { id: 's', type: 'start', position: { x: 0, y: 0 } },
      ...Array.from({ length: 499 }, (_, i) => ({
        ...{ id: `n${i}`, type: 'message', data: { text: `Mensaje *${i}*` } },
        position: { x: 340 * (1 + (i % 25)), y: 220 * Math.floor(i / 25) },
      })),
    ],
    edges: Array.from({ length: 499 }, (_, i) => ({ source: i ? `n${i - 1}` : 's', target: `n${i}` })),
  },
}

test('a flow of hundreds of steps is visible before its scripts, and only steps in view are rendered', async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', large)
  await page.setViewportSize({ width: 1440, height: 900 })
  const scripts = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async route => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(paths.flow(org.slug, id), { waitUntil: 'commit' })
  const still = page.locator('.flow-still .flow-card')
  await expect(still.first()).toContainText('Manual')
  await expect(still.nth(1)).toBeVisible()
  await expect(page.locator('.react-flow__node')).toHaveCount(0)
  expect(await still.count()).toBeLessThan(50)
  await expect(page.locator('.flow-outline')).toBeHidden()
  const before = await still.nth(1).boundingBox()
  await picture(page, 'flow-still')
  scripts.resolve()
  const first = page.locator('.react-flow__node[data-id="n0"] .flow-card')
  await expect(first).toBeVisible()
  await expect(page.locator('.flow-still')).toHaveCount(0)
  const after = await first.boundingBox()
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? 0)), side).toBeLessThan(1)
  await expect(page.locator('.flow-map')).toBeVisible()
  expect(await page.locator('.react-flow__node').count()).toBeLessThan(50)

  // The minimap shows the whole flow; a click there moves the canvas.
  const map = await page.locator('.flow-map').boundingBox()
  if (!map) throw new Error('The map is nowhere')
  await page.mouse.click(map.x + map.width * 0.8, map.y + map.height * 0.7)
  await expect(page.locator('.react-flow__node').filter({ hasText: 'Mensaje 420' })).toBeVisible()
  expect(await page.locator('.react-flow__node').count()).toBeLessThan(50)
})

test('typing in one of hundreds of steps renders only its panel and that step again', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', large)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(paths.flow(org.slug, id))
  await page.locator('.react-flow__node[data-id="n0"]').click()
  const text = page.getByLabel('Texto del mensaje')
  await text.press('End')
  await expect(page.locator('.flow-map')).toBeVisible()
  // The canvas moves so that the opened step is in sight.
  const place = () => page.locator('.react-flow__viewport').evaluate((view: HTMLElement) => view.style.transform)
  await expect(async () => {
    const before = await place()
    await page.waitForTimeout(300)
    expect(await place()).toBe(before)
  }).toPass()
  await page.evaluate(() => {
    const touched = new Set<string>()
    const nameOf = (place: Node): string => {
      const element = place instanceof Element ? place : place.parentElement
      const step = element?.closest<HTMLElement>('.react-flow__node')
      if (step) return `step ${step.dataset.id}`
      return element?.closest('.flow-panel, .flow-bar') ? 'panel or bar' : (element?.className ?? '?').toString()
    }
    const watch = new MutationObserver(all => {
      for (const { target } of all) touched.add(nameOf(target))
    })
    const body = document.querySelector('.flow-page')
    if (body) watch.observe(body, { subtree: true, childList: true, characterData: true, attributes: true })
    Object.assign(window, { touched })
  })
  // For a field without a form of its own, browsers search the whole page at every letter.
  expect(await text.evaluate((field: HTMLTextAreaElement) => field.form?.elements.length)).toBe(1)
  await text.pressSequentially('!')
  await expect(page.locator('.react-flow__node[data-id="n0"]')).toContainText('Mensaje 0!')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible()
  const touched = await page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched].sort())
  expect(touched).toEqual(['panel or bar', 'step n0'])
})

test('the canvas of a flow is hydrated before the frame around the page', { tag: '@nightly' }, async ({
  page,
  org,
}) => {
  const { id } = await org.call<{ id: string }>('POST', '/whatsapp/flows', large)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript(() => {
    const order: string[] = []
    Object.assign(window, { order })
    document.addEventListener('DOMContentLoaded', () => {
      for (const what of ['.flow-board', '.side-nav', 'header']) {
        const element = document.querySelector(what)
        if (!element) throw new Error(`${what} is not in the page`)
        // React marks an element with a property that no element had before.
        const marked = new Proxy(Object.getPrototypeOf(element), {
          set(_, key, value, receiver) {
            if (!order.includes(what)) order.push(what)
            return Reflect.defineProperty(receiver, key, {
              value,
              writable: true,
              configurable: true,
              enumerable: true,
            })
          },
        })
        Object.setPrototypeOf(element, marked)
      }
    })
  })
  await page.goto(paths.flow(org.slug, id))
  await expect(page.locator('.react-flow__node').first()).toBeVisible()
  const order = () => page.evaluate(() => (window as unknown as { order: string[] }).order)
  await expect.poll(async () => (await order()).length).toBe(3)
  expect((await order())[0]).toBe('.flow-board')
})
