// Runs as it is in the reader's browser. The key stays in this variable and its fields, and goes nowhere but into a
// tried call.
let key = ''
const say = document.body.dataset
const search = document.querySelector('[type=search]')
const found = selector => [...document.querySelectorAll(selector)]
let language = 'curl'

/** After each page: shows what needs this script, and opens the call that the address names. */
function wake() {
  for (const one of found('.try, .copy')) one.hidden = one.matches('.copy') && !navigator.clipboard
  for (const one of found('[data-secret]')) one.value = key
  choose(language)
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  const target = document.getElementById(location.hash.slice(1))
  if (target?.matches('details')) target.open = true
  target?.scrollIntoView()
  return target
}

function choose(value) {
  language = value
  for (const one of found(`.pick [value=${value}]`)) one.checked = true
}

/** Puts another page of the reference into this one, so that the key stays. */
let asked = 0
async function show(href, { keepsFocus = false } = {}) {
  asked += 1
  const mine = asked
  const answer = await fetch(href).catch(() => undefined)
  if (mine !== asked) return false
  if (!answer?.ok) return location.assign(href)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (mine !== asked) return false
  for (const part of ['main', 'nav']) {
    const [here, there] = [document.querySelector(part), page.querySelector(part)]
    here.replaceChildren(...there.childNodes)
  }
  document.title = page.title
  document.getElementById('said').textContent = document.getElementById('count')?.textContent ?? ''
  if (keepsFocus) return true
  scrollTo(0, 0)
  const target = wake()
  const focused = target?.querySelector('summary') ?? document.querySelector('main')
  focused.focus({ preventScroll: true })
  return true
}

const isOurs = url => url.origin === location.origin && /^\/api\/docs(\/|$)/.test(url.pathname)

document.addEventListener('click', event => {
  const link = event.target.closest('a[href]')
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const url = new URL(link.href)
  const isHere = url.pathname === location.pathname && url.search === location.search
  if (!isOurs(url) || link.hasAttribute('hreflang') || (isHere && url.hash)) return
  event.preventDefault()
  history.pushState(null, '', url)
  if (!url.searchParams.has('q')) search.value = ''
  show(url.href)
})

addEventListener('popstate', () => {
  search.value = new URLSearchParams(location.search).get('q') ?? ''
  show(location.href)
})
addEventListener('hashchange', wake)

const searchAddress = () => {
  const url = new URL('/api/docs', location.href)
  for (const [name, value] of new FormData(search.form)) if (value) url.searchParams.set(name, value)
  return url
}
let waiting
search.addEventListener('input', () => {
  clearTimeout(waiting)
  // One request for a word, not for each of its letters.
  waiting = setTimeout(() => {
    const url = searchAddress()
    history.replaceState(null, '', url)
    show(url.href, { keepsFocus: true })
  }, 200)
})

document.addEventListener('input', event => {
  if (!event.target.matches('[data-secret]')) return
  key = event.target.value
  for (const one of found('[data-secret]')) if (one !== event.target) one.value = key
})

document.addEventListener('change', event => {
  if (event.target.matches('.pick input')) choose(event.target.value)
})

document.addEventListener('click', async event => {
  const button = event.target.closest('.copy')
  if (!button) return
  const program = button.closest('.samples').querySelector(`pre.${language}`)
  await navigator.clipboard.writeText(program.textContent)
  const usual = button.textContent
  if (usual === say.copied) return
  button.textContent = say.copied
  setTimeout(() => {
    button.textContent = usual
  }, 2000)
})

/** The longest text of an answer that is shown, in characters. */
const maxShown = 200_000

async function textOf(response) {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text|csv|xml/.test(type)) {
    const bytes = await response.blob()
    return bytes.size ? `${type} · ${bytes.size} ${say.bytes}` : ''
  }
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function line(name, text) {
  const made = document.createElement(name === 'pre' ? 'pre' : 'p')
  if (name !== 'pre') made.className = name
  else made.tabIndex = 0
  made.textContent = text
  return made
}

/** What a refusal says to people: its message, and each field that does not fit. */
function reasonsOf(text) {
  try {
    const { message, details, error } = JSON.parse(text)
    const named = Array.isArray(details) ? details.map(one => [one.field, one.message].filter(Boolean).join(': ')) : []
    return [message ?? error?.message, ...named].filter(one => typeof one === 'string' && one)
  } catch {
    return []
  }
}

function requestOf(form) {
  const fields = name => [...form.querySelectorAll(`[data-${name}]`)].map(one => [one.dataset[name], one.value])
  const inPath = new Map(fields('path'))
  const path = form.dataset.url.replace(/:(\w+)/g, (_, name) => encodeURIComponent((inPath.get(name) ?? '').trim()))
  const query = new URLSearchParams(fields('query').filter(([, value]) => value))
  const body = form.querySelector('[data-body]')?.value
  const once = form.querySelector('[data-once]')?.value.trim()
  const secret = form.querySelector('[data-secret]')?.value.trim()
  const headers = {
    'accept-language': document.documentElement.lang,
    ...(secret ? { 'x-api-key': secret } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(once ? { 'idempotency-key': once } : {}),
  }
  // Without the session's cookie: the answer is what a program gets.
  const options = { method: form.dataset.method, headers, body, credentials: 'omit', cache: 'no-store' }
  return [`${path}${query.size ? `?${query}` : ''}`, options]
}

document.addEventListener('submit', async event => {
  const form = event.target
  if (form === search.form) {
    event.preventDefault()
    clearTimeout(waiting)
    const url = searchAddress()
    history.pushState(null, '', url)
    show(url.href)
    return
  }
  if (!form.matches('.try')) return
  event.preventDefault()
  const answer = form.querySelector('.answer')
  const button = form.querySelector('.main')
  const body = form.querySelector('[data-body]')
  try {
    if (body) JSON.parse(body.value)
  } catch (error) {
    answer.replaceChildren(line('state refused', `${say.notjson} ${error.message}`))
    body.focus()
    return
  }
  button.disabled = true
  answer.replaceChildren(line('state', say.sending))
  const begun = performance.now()
  try {
    const response = await fetch(...requestOf(form))
    const text = await textOf(response)
    const spent = Math.round(performance.now() - begun)
    const name = response.ok ? say.done : say.refused
    const head = line(`state ${response.ok ? 'done' : 'refused'}`, `${name} · ${response.status} · ${spent} ms`)
    const reasons = response.ok ? [] : reasonsOf(text).map(one => line('reason', one))
    const shown = text.length > maxShown ? `${text.slice(0, maxShown)}\n… ${say.cut}` : text
    answer.replaceChildren(head, ...reasons, ...(shown ? [line('pre', shown)] : []))
  } catch {
    answer.replaceChildren(line('state refused', say.unreachable))
  }
  button.disabled = false
  button.focus()
})

wake()
