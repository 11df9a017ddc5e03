import { newId } from '#server/ids.ts'
import type { InboundContent, Sender, WebhookItem } from '#server/whatsapp/inbound.ts'

/** An item of one kind with what matters said and the rest believable. */
export type Item<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>

export const itemScope = { phoneNumberId: '106540352242922', wabaId: '102290129340398' }
export const lucia: Sender = { waId: '5491155551234', bsuid: 'AR.13491208655302741918', profileName: 'Lucía Méndez' }

export const aWamid = (): string => `wamid.${newId()}`
export const text = (words: string): InboundContent => ({ type: 'text', text: words })

type Wishes<K extends WebhookItem['kind']> = Partial<Omit<Item<K>, 'kind'>>

export const aMessage = (wishes: Wishes<'message'> & { words?: string } = {}): Item<'message'> => {
  const { words = 'Hola, ¿tienen turno?', ...rest } = wishes
  return {
    ...itemScope,
    kind: 'message',
    wamid: aWamid(),
    at: '2026-11-20T12:59:00.000Z',
    sender: lucia,
    body: text(words),
    opensWindow: true,
    ...rest,
  }
}

export const anEcho = (wishes: Wishes<'echo'> & { words?: string } = {}): Item<'echo'> => {
  const { words = 'Sí, a las 10', ...rest } = wishes
  return {
    ...itemScope,
    kind: 'echo',
    wamid: aWamid(),
    at: '2026-11-20T12:59:30.000Z',
    recipient: lucia,
    body: text(words),
    ...rest,
  }
}

export const aReaction = (wishes: Wishes<'reaction'> & { targetWamid: string }): Item<'reaction'> => ({
  ...itemScope,
  kind: 'reaction',
  wamid: aWamid(),
  at: '2026-11-20T12:59:40.000Z',
  sender: lucia,
  emoji: '👍',
  ...wishes,
})

export const anEdit = (wishes: Wishes<'edit'> & { targetWamid: string }): Item<'edit'> => ({
  ...itemScope,
  kind: 'edit',
  wamid: aWamid(),
  at: '2026-11-20T12:59:41.000Z',
  text: 'corregido',
  sender: lucia,
  ...wishes,
})

export const aRevoke = (wishes: Wishes<'revoke'> & { targetWamid: string }): Item<'revoke'> => ({
  ...itemScope,
  kind: 'revoke',
  wamid: aWamid(),
  sender: lucia,
  at: '2026-11-20T12:59:42.000Z',
  ...wishes,
})

export const aStatus = (
  wishes: Wishes<'status'> & { wamid: string; status: Item<'status'>['status'] },
): Item<'status'> => ({
  ...itemScope,
  kind: 'status',
  at: '2026-11-20T12:59:50.000Z',
  recipient: lucia,
  ...wishes,
})

export const anIdentity = (wishes: Wishes<'identity'> & { previous: Sender; current: Sender }): Item<'identity'> => ({
  ...itemScope,
  kind: 'identity',
  at: '2026-11-20T12:59:45.000Z',
  note: 'Cambió de número',
  wamid: aWamid(),
  ...wishes,
})
