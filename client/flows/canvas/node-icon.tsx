import { type FlowNodeType, nodeKind } from '#shared/flows/graph.ts'

/** The icon of a kind of step, in its colour. */
export const NodeIcon = ({ type }: { readonly type: FlowNodeType }) => {
  const { icon, tone = 'speaks' } = nodeKind({ type })
  return (
    <span className={`flow-kind flow-kind-${tone}`}>
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={icon} />
      </svg>
    </span>
  )
}
