import { type ComponentType, memo } from 'react'
import { useLasting } from '#client/ui/page/steady.ts'

/** A field that renders again only if its own value changes, not when another field of its form does. */
export function steadyField<V, P extends { onChange(value: V): void }>(Field: ComponentType<P>) {
  const Drawn = memo(Field) as unknown as ComponentType<P>
  return function SteadyField(props: P) {
    return <Drawn {...props} onChange={useLasting((value: V) => props.onChange(value))} />
  }
}
