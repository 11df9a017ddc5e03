import { type FlowDraft, type WrittenDraft, writeDraft } from '#client/flows/editor/draft.ts'
import { flowLimits } from '#shared/flows/limits.ts'

/** What the file says it is, so that a file of something else is told from it. */
const format = 'recado-flow'
/** Written with spaces a flow is a multiple of what is sent of it; the server has the last word. */
export const importMaxBytes = 4 * 1024 * 1024

/** A flow as a file that can be imported here or in another organization. */
export const exportedText = (draft: FlowDraft): string =>
  JSON.stringify({ format, version: 1, ...writeDraft(draft) }, null, 2)

/** Undefined: it is no exported flow. What is inside is checked by the server, which refuses the whole or takes the whole. */
export const importedDraft = (text: string): WrittenDraft | undefined => {
  try {
    const found = JSON.parse(text) as Partial<Record<'format' | 'name' | 'graph' | 'triggers', unknown>> | null
    if (found?.format !== format || typeof found.name !== 'string' || !found.name.trim()) return undefined
    if (typeof found.graph !== 'object' || found.graph === null || !Array.isArray(found.triggers)) return undefined
    return {
      name: found.name.slice(0, flowLimits.name),
      graph: found.graph as WrittenDraft['graph'],
      triggers: found.triggers as WrittenDraft['triggers'],
    }
  } catch {
    return undefined
  }
}

/** The words of a file: UTF-8, else as older programs on Windows write. */
export const textOfFile = async (file: Blob): Promise<string> => {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A name in a file that no program may give a field: the server refuses all of it. Undefined: there is none. */
export const forbiddenNameIn = (value: unknown): string | undefined => {
  const waiting = [value]
  while (waiting.length) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Object.hasOwn(one, '__proto__')) return '__proto__'
    if (Object.hasOwn(one, 'constructor')) {
      const { constructor: made } = one as { constructor: unknown }
      if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) return 'constructor.prototype'
    }
    for (const inside of Object.values(one)) waiting.push(inside)
  }
  return undefined
}

/** How many steps a file claims, whatever they are. */
export const stepsIn = ({ graph }: WrittenDraft): number => (Array.isArray(graph.nodes) ? graph.nodes.length : 0)

/** Hands a flow to the browser as a download. */
export const saveFlowFile = (flow: FlowDraft): void => {
  const address = URL.createObjectURL(new Blob([exportedText(flow)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${flow.name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'flow'}.json`
  link.click()
  // Firefox reads the address a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
