import { paths } from '#shared/kernel/paths.ts'
import { expect, type Org, type Page, test } from './fixtures.ts'

const toasts = (page: Page) => page.locator('.notistack-MuiContent')
const waits = (page: Page, name: string) => toasts(page).filter({ hasText: `${name} espera una respuesta` })
const sidewaysOf = async (page: Page) =>
  (await toasts(page).last().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

/** A customer waits, and the toast has stopped moving. */
const call = async (page: Page, org: Org, n: number) => {
  const name = `Cliente ${n}`
  await org.customer(n, name).says('Hola')
  await expect(waits(page, name)).toBeVisible()
  let before = -1
  await expect
    .poll(async () => {
      const { x } = await sidewaysOf(page)
      const isStill = x === before
      before = x
      return isStill
    })
    .toBe(true)
  return waits(page, name)
}

/** Pauses before releasing, so it is no fling. */
const drag = async (page: Page, share: number) => {
  const { x, y, width, height } = await sidewaysOf(page)
  const from = { x: x + 20, y: y + height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + width * share, from.y, { steps: 4 })
  await page.waitForTimeout(150)
  await page.mouse.up()
}

test('a toast is dismissed by dragging it four fifths of its width, otherwise it returns', { tag: '@nightly' }, async ({
  page,
  org,
  openInbox,
}) => {
  await openInbox()
  const first = await call(page, org, 1)
  const { x: home } = await sidewaysOf(page)
  await drag(page, -0.6)
  await expect.poll(async () => (await sidewaysOf(page)).x).toBe(home)
  await drag(page, -0.85)
  await expect(first).toHaveCount(0)
  await test.step('without motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const still = await call(page, org, 3)
    await drag(page, -0.5)
    expect(
      await toasts(page)
        .last()
        .evaluate(box => [box.style.translate, box.style.transition]),
    ).toEqual(['', 'none'])
    await drag(page, -0.9)
    await expect(still).toHaveCount(0)
  })
  await test.step('by key: Alt+T, then the button or Escape', async () => {
    const composer = page.getByRole('searchbox').first()
    await composer.focus()
    const closed = await call(page, org, 4)
    await page.keyboard.press('Alt+t')
    await page.keyboard.press('Tab')
    await expect(closed.getByRole('button', { name: 'Cerrar' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(closed).toHaveCount(0)
    const escaped = await call(page, org, 5)
    await composer.focus()
    await page.keyboard.press('Alt+t')
    await page.keyboard.press('Escape')
    await expect(escaped).toHaveCount(0)
    await expect(composer).toBeFocused()
  })
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('a horizontal drag dismisses a toast, a vertical one does nothing, and a tap presses its button', {
    tag: '@nightly',
  }, async ({ page, context, org, openInbox }) => {
    await openInbox()
    const devtools = await context.newCDPSession(page)
    const swipe = async (dx: number, dy: number) => {
      const box = await sidewaysOf(page)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        devtools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * share, y: y + dy * share }],
        })
      await touch('touchStart', 0)
      for (const share of [0.1, 0.3, 0.6, 1]) await touch('touchMove', share)
      await touch('touchEnd', 1)
    }
    await call(page, org, 1)
    await page.getByRole('button', { name: 'ir al chat' }).tap()
    await expect(page).toHaveURL(paths.chat(org.slug, org.customer(1).phone))
    const other = await call(page, org, 2)
    await swipe(0, -200)
    await expect(other).toBeVisible()
    expect(
      await toasts(page)
        .last()
        .evaluate(box => box.style.translate),
    ).toBe('')
    await swipe(-330, 0)
    await expect(other).toHaveCount(0)
  })

  test('a toast is shown above the sheet', { tag: '@nightly' }, async ({ page, context, openInbox }) => {
    await context.grantPermissions(['clipboard-write'])
    await openInbox()
    await page.getByRole('button', { name: 'Mostrar u ocultar el menú' }).click()
    await page.getByRole('button', { name: 'Copiar el número' }).click()
    const copied = toasts(page).filter({ hasText: 'Número copiado al portapapeles' })
    await expect(copied).toBeVisible()
    await expect
      .poll(() =>
        copied.evaluate(box => {
          const { x, y, height } = box.getBoundingClientRect()
          return box.contains(document.elementFromPoint(x + 20, y + height / 2))
        }),
      )
      .toBe(true)
  })
})

test('a waiting customer’s toast lasts two minutes and can be closed, the app’s feedback lasts five seconds', async ({
  page,
  context,
  org,
  openInbox,
}) => {
  await context.grantPermissions(['clipboard-write'])
  await page.clock.install()
  await openInbox()
  const waiting = await call(page, org, 1)
  await expect(waiting.getByRole('button', { name: 'Cerrar' })).toBeVisible()
  await page
    .locator('#sidebar')
    .getByRole('button', { name: /Copiar/ })
    .click()
  const copied = toasts(page).filter({ hasText: 'Número copiado al portapapeles' })
  await expect(copied).toBeVisible()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const { x, y, ...size } = (await copied.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  expect(width - x - size.width).toBeLessThan(40)
  expect(height - y - size.height).toBeLessThan(200)
  /** After that its exit animation follows. */
  const passUntilGone = async (toast: typeof waiting, ms: number) => {
    await page.clock.runFor(ms)
    await expect
      .poll(async () => {
        await page.clock.runFor(100)
        return toast.count()
      })
      .toBe(0)
  }
  await page.clock.runFor(3000)
  await expect(copied).toBeVisible()
  await passUntilGone(copied, 3000)
  await page.clock.runFor(100_000)
  await expect(waiting).toBeVisible()
  await passUntilGone(waiting, 20_000)
})
