import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Live } from '#client/app/calls/live.ts'
import { dismissToast, toast } from '#client/ui/feedback/toasts.tsx'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import { humanToastMs } from '#shared/kernel/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { LiveEvents } from '#shared/live/api.ts'
import { isMuted } from './muting.ts'
import { preferencesOf } from './preferences.ts'

interface HumanCallParts {
  readonly client: QueryClient
  readonly live: Live
  /** `performance.now()` of the first event that was not handled. */
  readonly since: number
  navigate(path: string): unknown
  /** Slug of the organization. */
  readonly org: string
  readonly t: TFunction<'notifications'>
}

const keyOf = (org: string, path: string) => `human ${org} ${path}`
const isOpen = (path: string) => document.visibilityState === 'visible' && location.pathname === path

/** Removes the toast of a chat that is being viewed. */
export const dismissCall = (org: string, path: string): void => dismissToast(keyOf(org, path))

/** Shows on every page that a customer needs a person, by the person's settings, until somebody takes it. */
export function startHumanCalls({ client, live, since, navigate, org, t }: HumanCallParts): () => void {
  /** Waiting customers while the person's settings are loaded. */
  const waiting = new Set<string>()
  /** Number of the calling event by address: later events may be older than it. */
  const calledBy = new Map<string, number>()

  const sentenceOf = ({ message, reason, params }: LiveEvents['human']) =>
    reason !== undefined && params ? t('human.firstMessage', { ...params }) : message

  const call = async (data: LiveEvents['human'], id = 0) => {
    const { conversationId } = data
    const address = addressOfEvent(data)
    const path = paths.chat(org, address)
    if (isOpen(path)) return
    waiting.add(address)
    calledBy.set(address, id)
    const preferences = await preferencesOf(client, org)
    if (!waiting.delete(address) || !preferences.toast || isMuted(preferences, conversationId) || isOpen(path)) return
    toast(sentenceOf(data), {
      key: keyOf(org, path),
      durationMs: humanToastMs,
      closable: true,
      action: { label: t('human.goToChat'), onClick: () => navigate(path) },
    })
  }
  const takeBack = (address: string, id = Number.POSITIVE_INFINITY) => {
    if (id < (calledBy.get(address) ?? 0)) return
    calledBy.delete(address)
    waiting.delete(address)
    dismissCall(org, paths.chat(org, address))
  }

  const stops = [
    live.on('human', (data, id) => void call(data, id), since),
    live.on('human.claimed', (event, id) => takeBack(addressOfEvent(event), id), since),
    live.on(
      'conversation',
      ({ conversation }, id) => {
        if (conversation.control !== 'needsHuman') takeBack(addressOfConversation(conversation), id)
      },
      since,
    ),
  ]
  return () => {
    waiting.clear()
    for (const stop of stops) stop()
  }
}
