import { createElement, type ReactNode } from 'react'

const isVoid = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
const isRaw = /^(?:script|style)$/
/** Attributes that React names differently. */
const ofReact: Readonly<Record<string, string>> = { class: 'className', for: 'htmlFor', readonly: 'readOnly' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_whole, name: string) => entities[name] as string)

const propsOf = (attributes: string): Record<string, unknown> =>
  Object.fromEntries(
    [...attributes.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)].map(([, name = '', value]) => [
      ofReact[name] ?? name,
      value === undefined ? true : decode(value),
    ]),
  )

/**
 * A whole page as plain React elements without components, to measure the cost of rendering alone. It parses markup as
 * React prints it, not HTML in general.
 * @throws if a tag is closed that is not open
 */
export function treeOf(page: string): ReactNode {
  interface Open {
    readonly name: string
    readonly props: Record<string, unknown>
    readonly children: ReactNode[]
  }
  const root: Open = { name: '', props: {}, children: [] }
  const stack = [root]
  const top = () => stack.at(-1) as Open
  const pattern =
    /<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/)?([a-zA-Z][\w-]*)((?:\s+[^\s=/>]+(?:="[^"]*")?)*)\s*(\/)?>|([^<]+)/gy
  for (let at = 0; at < page.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const match = pattern.exec(page)
    if (!match) throw new Error(`Not markup as React prints it: ${page.slice(at, at + 60)}`)
    const [, closes, name, attributes = '', selfCloses, text] = match
    if (text !== undefined) top().children.push(decode(text))
    if (name === undefined) continue
    if (closes) {
      const closed = stack.pop() as Open
      if (closed.name !== name) throw new Error(`</${name}> closes <${closed.name}>`)
      top().children.push(createElement(name, closed.props, ...closed.children))
      continue
    }
    const props = propsOf(attributes)
    if (isRaw.test(name)) {
      const end = page.indexOf(`</${name}>`, pattern.lastIndex)
      const raw = page.slice(pattern.lastIndex, end)
      top().children.push(createElement(name, { ...props, dangerouslySetInnerHTML: { __html: raw } }))
      pattern.lastIndex = end + name.length + 3
    } else if (selfCloses || isVoid.test(name)) top().children.push(createElement(name, props))
    else stack.push({ name, props, children: [] })
  }
  if (stack.length > 1) throw new Error(`<${top().name}> is never closed`)
  return root.children.length === 1 ? root.children[0] : createElement('html', null, ...root.children)
}
