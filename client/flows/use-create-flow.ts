import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { WrittenDraft } from './editor/draft/draft.ts'
import { newPartId } from './editor/draft/part-id.ts'
import { refreshFlows } from './queries.ts'

/**
 * Returns a function that creates a flow and opens its editor. `part` identifies the choice, so that a double click creates
 * one flow. `onCreated` is called before the page changes.
 */
export const useCreateFlow = (onCreated?: () => void) => {
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [key] = useState(newPartId)
  return async (draft: WrittenDraft, part: string): Promise<void> => {
    const flow = await api.flows.create({ body: draft }, { idempotencyKey: `${key}-${part}` })
    void refreshFlows(client, slug)
    onCreated?.()
    await navigate(paths.flow(slug, flow.id))
  }
}
