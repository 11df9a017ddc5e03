import { type FlowNode, type FlowNodeType, type NodeOf, nodeKind } from '#shared/flows/graph.ts'
import type { nodeKinds } from '#shared/flows/nodes/all.ts'
import type { NodeStep } from '../step/node-step.ts'
import { buttons } from './buttons.ts'
import { close } from './close.ts'
import { condition } from './condition.ts'
import { end } from './end.ts'
import { goto } from './goto.ts'
import { handoff } from './handoff.ts'
import { http } from './http.ts'
import { message } from './message.ts'
import { question } from './question.ts'
import { set } from './set.ts'
import { subflow } from './subflow.ts'
import { tag } from './tag.ts'
import { template } from './template.ts'
import { wait } from './wait.ts'

/** Kinds that define which output follows. */
type Choosing = {
  [T in FlowNodeType]: (typeof nodeKinds)[T] extends { choose: object } ? T : never
}[FlowNodeType]

const steps: { readonly [T in Exclude<FlowNodeType, Choosing>]: NodeStep<NodeOf<T>> } = {
  message,
  template,
  question,
  buttons,
  condition,
  set,
  tag,
  wait,
  http,
  goto,
  subflow,
  handoff,
  close,
  end,
}

const chooses: NodeStep<FlowNode> = {
  enter(node, session) {
    const output = nodeKind(node).choose?.(node, session.world.customerId) ?? 'next'
    session.step(node, { output })
    return { output }
  },
}

/** The behaviour of a node in a session. */
export const stepOf = ({ type }: FlowNode): NodeStep<FlowNode> =>
  type in steps ? (steps[type as keyof typeof steps] as unknown as NodeStep<FlowNode>) : chooses
