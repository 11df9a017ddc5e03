import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from 'playwright/test'

let site: ChildProcess
let url = ''
let cookie = { name: '', value: '' }
test.beforeAll(async () => {
  site = fork(fileURLToPath(new URL('../fixtures/web/site.ts', import.meta.url)))
  const [said] = await once(site, 'message')
  ;({ url, cookie } = said as { url: string; cookie: typeof cookie })
})
test.afterAll(async () => {
  // It stores nothing, so nothing is lost; an orderly stop would wait for the browser's idle connections.
  const gone = once(site, 'exit')
  site.kill('SIGKILL')
  await gone
})

const tell = (word: 'start' | 'hold' | 'release') => fetch(`${url}/${word}`, { method: 'POST' })

/** A visit and the browser's complaints. */
const visit = async (visitor: Page) => {
  const complaints: string[] = []
  visitor.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  visitor.on('pageerror', error => complaints.push(error.message))
  await tell('start')
  await visitor.context().addCookies([{ ...cookie, url }])
  const calls = async (): Promise<string[]> => (await fetch(`${url}/calls`)).json() as Promise<string[]>
  return { complaints, calls }
}

test('with slow data the page is usable while it waits', async ({ page: visitor }) => {
  const { complaints, calls } = await visit(visitor)
  await tell('hold')
  await visitor.goto(`${url}/slow`, { waitUntil: 'commit' })
  await expect(visitor.locator('#skeleton')).toBeVisible()
  const counter = visitor.locator('#counter')
  await expect(async () => {
    await counter.click()
    expect(Number(await counter.textContent())).toBeGreaterThan(0)
  }).toPass()
  await expect(visitor.locator('#skeleton')).toBeVisible()
  await tell('release')
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  await expect(visitor.locator('#skeleton')).toHaveCount(0)
  expect(await calls(), 'what the server is fetching is not asked twice').toEqual([])
  expect(complaints).toEqual([])
})

test('data is received although code of the page adds elements beside it', async ({ page: visitor }) => {
  const { complaints, calls } = await visit(visitor)
  await visitor.addInitScript(() => {
    new MutationObserver(records => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node instanceof HTMLScriptElement && node.type === 'application/json')
            node.after(document.createElement('div'))
    }).observe(document, { childList: true, subtree: true })
  })
  await visitor.goto(`${url}/fast`)
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  expect(await visitor.evaluate(() => document.querySelector('script[type="application/json"] + div') !== null)).toBe(
    true,
  )
  expect(await calls()).toEqual([])
  expect(complaints).toEqual([])
})

test('data streamed with the page is not requested again, and navigation requests it over HTTP', {
  tag: '@nightly',
}, async ({ page: visitor }) => {
  const { complaints, calls } = await visit(visitor)
  await visitor.goto(`${url}/fast`)
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  expect(await calls()).toEqual([])
  await visitor.goto(`${url}/never-mind`)
  const link = visitor.locator('#nav a')
  // Before hydration a link is an ordinary link to a page of the server.
  await expect
    .poll(() => link.evaluate(node => Object.keys(node).some(key => key.startsWith('__reactProps$'))))
    .toBe(true)
  await link.click()
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  expect(await calls()).toHaveLength(1)
  expect(complaints.filter(text => !text.includes('404'))).toEqual([])
})

test('a change before a part is hydrated is rendered after its hydration', { tag: '@nightly' }, async ({
  page: visitor,
}) => {
  const { complaints } = await visit(visitor)
  await visitor.goto(`${url}/overtaken`)
  await expect(visitor.locator('#chats')).toBeEmpty()
  expect(complaints).toEqual([])
})

test('data that arrived after a part was rendered without it appears at hydration', { tag: '@nightly' }, async ({
  page: visitor,
}) => {
  const { complaints } = await visit(visitor)
  await tell('hold')
  const scripts = Promise.withResolvers<void>()
  await visitor.route(/\.js$/, async route => {
    await scripts.promise
    await route.continue()
  })
  await visitor.goto(`${url}/impatient`, { waitUntil: 'commit' })
  await expect(visitor.locator('#skeleton')).toBeVisible()
  await expect(visitor.locator('#count')).toBeEmpty()
  await tell('release')
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  scripts.resolve()
  await expect(visitor.locator('#count')).toHaveText('1')
  expect(complaints).toEqual([])
})

test('widgets have their styles from the first paint, early and late', { tag: '@nightly' }, async ({
  page: visitor,
}) => {
  const { complaints } = await visit(visitor)
  await tell('hold')
  await visitor.goto(`${url}/mui`, { waitUntil: 'commit' })
  const brand = 'rgb(11, 107, 80)'
  await expect(visitor.locator('#early')).toHaveCSS('background-color', brand)
  await tell('release')
  await expect(visitor.locator('#late')).toHaveCSS('border-radius', '8px')
  await expect(visitor.locator('#early')).toHaveCSS('background-color', brand)
  await visitor.waitForLoadState()
  expect(complaints).toEqual([])
})

test('a part that failed only on the server is rendered by the browser', { tag: '@nightly' }, async ({
  page: visitor,
}) => {
  const { complaints } = await visit(visitor)
  await visitor.goto(`${url}/late-fault`)
  await expect(visitor.locator('#recovered')).toBeVisible()
  expect(complaints.join()).not.toContain('secret')
})

test('a page that was cut off requests its data by itself', { tag: '@nightly' }, async ({ page: visitor }) => {
  const { calls } = await visit(visitor)
  await tell('hold')
  await visitor.route(`${url}/slow`, async route => {
    // The connection is cut after the shell: the browser sees the end of the document.
    const response = await fetch(`${url}/slow`, { headers: { cookie: `${cookie.name}=${cookie.value}` } })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let shell = ''
    // The shell may arrive in several pieces; it ends with the hydration script.
    while (!/modulepreload[\s\S]*?<\/script>/.test(shell)) {
      const { value, done } = await reader.read()
      if (done) throw new Error('The page came whole')
      shell += decoder.decode(value, { stream: true })
    }
    await route.fulfill({ status: 200, headers: { 'content-type': 'text/html' }, body: shell })
  })
  await visitor.goto(`${url}/slow`)
  await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  expect(await calls()).toHaveLength(1)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the content is there', async ({ page: visitor }) => {
    await visit(visitor)
    await visitor.goto(`${url}/fast`)
    await expect(visitor.locator('#chats')).toHaveText('Martín Torres')
  })
})
