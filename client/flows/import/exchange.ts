import { flowLimits } from '#shared/flows/limits.ts'
import { type FlowDraft, type WrittenDraft, writeDraft } from '../editor/draft/draft.ts'

/** Identifies our exported files. */
const format = 'recado-flow'
/** An indented file is several times as large as the request made from it; the server has the final limit. */
export const importMaxBytes = 4 * 1024 * 1024

/** A flow as a file that can be imported here or in another organization. */
export const exportedText = (draft: FlowDraft): string =>
  JSON.stringify({ format, version: 1, ...writeDraft(draft) }, null, 2)

/** Undefined: not an exported flow. The server validates the content and accepts all or nothing. */
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

/** The text of a file: UTF-8, otherwise the Windows encoding of older programs. */
export const textOfFile = async (file: Blob): Promise<string> => {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A property name that the server refuses in any object. Undefined: there is none. */
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

/** The number of steps in a file, valid or not. */
export const stepsIn = ({ graph }: WrittenDraft): number => (Array.isArray(graph.nodes) ? graph.nodes.length : 0)

/** Offers a flow as a download. */
export const saveFlowFile = (flow: FlowDraft): void => {
  const address = URL.createObjectURL(new Blob([exportedText(flow)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${flow.name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'flow'}.json`
  link.click()
  // Firefox reads the URL a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
