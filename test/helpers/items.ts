import { newId } from '#server/platform/crypto/ids.ts'
import type { CustomerIds, InboundContent, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'

/** An item of one kind, with plausible values for fields that are not given. */
export type Item<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>

export const itemScope = { phoneNumberId: '106540352242922', wabaId: '102290129340398' }
export const lucia: CustomerIds = {
  waId: '5491155551234',
  bsuid: 'AR.13491208655302741918',
  profileName: 'Lucía Méndez',
}

export const aWamid = (): string => `wamid.${newId()}`
export const text = (words: string): InboundContent => ({ type: 'text', text: words })

type Parts<K extends WebhookItem['kind']> = Partial<Omit<Item<K>, 'kind'>>

export const aMessage = (parts: Parts<'message'> & { words?: string } = {}): Item<'message'> => {
  const { words = 'Hola, ¿tienen turno?', ...rest } = parts
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

export const anEcho = (parts: Parts<'echo'> & { words?: string } = {}): Item<'echo'> => {
  const { words = 'Sí, a las 10', ...rest } = parts
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

export const aReaction = (parts: Parts<'reaction'> & { targetWamid: string }): Item<'reaction'> => ({
  ...itemScope,
  kind: 'reaction',
  wamid: aWamid(),
  at: '2026-11-20T12:59:40.000Z',
  sender: lucia,
  emoji: '👍',
  ...parts,
})

export const anEdit = (parts: Parts<'edit'> & { targetWamid: string }): Item<'edit'> => ({
  ...itemScope,
  kind: 'edit',
  wamid: aWamid(),
  at: '2026-11-20T12:59:41.000Z',
  text: 'corregido',
  sender: lucia,
  ...parts,
})

export const aRevoke = (parts: Parts<'revoke'> & { targetWamid: string }): Item<'revoke'> => ({
  ...itemScope,
  kind: 'revoke',
  wamid: aWamid(),
  sender: lucia,
  at: '2026-11-20T12:59:42.000Z',
  ...parts,
})

export const aStatus = (
  parts: Parts<'status'> & { wamid: string; status: Item<'status'>['status'] },
): Item<'status'> => ({
  ...itemScope,
  kind: 'status',
  at: '2026-11-20T12:59:50.000Z',
  recipient: lucia,
  ...parts,
})

export const anIdentity = (
  parts: Parts<'identity'> & { previous: CustomerIds; current: CustomerIds },
): Item<'identity'> => ({
  ...itemScope,
  kind: 'identity',
  at: '2026-11-20T12:59:45.000Z',
  note: 'Cambió de número',
  wamid: aWamid(),
  ...parts,
})
