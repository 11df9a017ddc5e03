'use client'
import { createElement } from 'react'
import tree from '../tree.json'

const draw = (part, key) => {
  if (typeof part === 'string') return part
  const [name, props, children] = part
  // A row, a bubble, an icon: what a page of Next would have as a component.
  return props.className ? (
    <Part key={key} name={name} props={props}>
      {children}
    </Part>
  ) : (
    createElement(name, { ...props, key }, ...children.map(draw))
  )
}

function Part({ name, props, children }) {
  return createElement(name, props, ...children.map(draw))
}

/** The inbox as client components: rendered on the server, taken over in the browser with `data`. */
export function Inbox({ data, visitor }) {
  return (
    <div data-parts={data.length} data-visitor={visitor}>
      {tree.map(draw)}
    </div>
  )
}
