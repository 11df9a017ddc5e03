// Shows notifications of closed tabs, and opens the right page when one is chosen. Keeps nothing, caches nothing.

const lookMs = 4000

const visibleTab = async () => {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return tabs.find(tab => tab.visibilityState === 'visible')
}

/** A call of this site in the person's own name; undefined when it cannot be had in time. */
const ask = async (method, path, org) => {
  try {
    const response = await fetch(path, {
      method,
      headers: { accept: 'application/json', 'x-organization': org },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(lookMs),
    })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

const show = async ({ id, org, title }) => {
  // An open tab says it by itself, and more quietly.
  if (await visibleTab()) return
  // What it is about is not sent through the push service: it is asked here, where the person is signed in.
  const news = await ask('GET', '/api/notify', org)
  const found = Array.isArray(news) ? news.find(one => `notify-${one.id}` === id) : undefined
  await self.registration.showNotification(found?.title ?? title, {
    body: found?.message ?? '',
    tag: id,
    icon: '/favicon.svg',
    data: { id, org },
  })
}

/** Marks it as read and answers where it leads. What is no stored notification brings its own path. */
const placeOf = async ({ id, org, path }) => {
  const base = `/org/${encodeURIComponent(org)}/c`
  const own = typeof path === 'string' && path.startsWith(base) ? path : base
  if (!id.startsWith('notify-')) return own
  const one = await ask('PATCH', `/api/notify?id=${encodeURIComponent(id)}`, org)
  return typeof one?.redirect === 'string' && one.redirect.startsWith('/') ? base + one.redirect : own
}

const open = async data => {
  const path = await placeOf(data)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find(one => new URL(one.url).pathname.startsWith(`/org/${encodeURIComponent(data.org)}/`))
  if (!tab) return self.clients.openWindow(path)
  // The page goes there by itself: loading it anew would lose what is being written.
  tab.postMessage({ type: 'open', path })
  return tab.focus()
}

const read = data => {
  try {
    const payload = data?.json()
    return typeof payload?.id === 'string' && typeof payload.org === 'string' && typeof payload.title === 'string'
      ? payload
      : undefined
  } catch {
    return undefined
  }
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('push', event => {
  const payload = read(event.data)
  if (payload) event.waitUntil(show(payload))
})
self.addEventListener('notificationclick', event => {
  event.notification.close()
  const { data } = event.notification
  if (typeof data?.id === 'string' && typeof data.org === 'string') event.waitUntil(open(data))
})
