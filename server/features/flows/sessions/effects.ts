import type { OrgWrite } from '#server/platform/events/write.ts'
import type { FlowInbox } from '../inbox.ts'
import type { FlowTemplates } from '../templates.ts'
import { messagesOfAdvance } from './advance-messages.ts'
import type { Advanced } from './compute-advance.ts'
import { insertSteps, type StoredSession } from './session-store.ts'

interface EffectParts {
  readonly inbox: Pick<FlowInbox, 'send' | 'showTyping' | 'setTag' | 'setContact'>
  readonly templates: Pick<FlowTemplates, 'noteUse'>
}

/** Queues the messages of steps, applies their other effects in order, and stores the steps. Archiving is up to the caller. */
export async function applyEffects(
  { inbox, templates }: EffectParts,
  write: OrgWrite,
  session: StoredSession,
  { steps, by, at }: Advanced,
): Promise<void> {
  const { conversationId } = session
  const { sent, rows } = messagesOfAdvance(session, steps, { by, at })
  await inbox.send(write, [sent])
  if (steps.at(-1)?.effect?.kind === 'typing') await inbox.showTyping(write, conversationId)
  for (const { effect } of steps)
    if (effect?.kind === 'tag')
      await inbox.setTag(write, conversationId, { tagId: effect.tagId, isOn: effect.action === 'add' })
  for (const { effect } of steps)
    if (effect?.kind === 'contact')
      await inbox.setContact(write, conversationId, { field: effect.field, value: effect.value })
  for (const { effect } of steps)
    if (effect?.kind === 'template') await templates.noteUse(write.db, write.orgId, effect.ready.id, { count: 1, at })
  await insertSteps(write.db, rows, { orgId: write.orgId })
}
