import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Live } from '#client/live.ts'
import { dismissToast, toast } from '#client/ui/toasts.tsx'
import { addressOfConversation, addressOfEvent } from '#shared/chat-address.ts'
import { humanToastMs } from '#shared/limits.ts'
import type { LiveEvents } from '#shared/live.ts'
import { paths } from '#shared/paths.ts'
import { isMuted } from './muting.ts'
import { preferencesOf } from './preferences.ts'

export interface HumanCallParts {
  readonly client: QueryClient
  readonly live: Live
  navigate(path: string): unknown
  /** Slug of the organization. */
  readonly org: string
  readonly t: TFunction<'notifications'>
}

const keyOf = (org: string, path: string) => `human ${org} ${path}`
const isOpen = (path: string) => document.visibilityState === 'visible' && location.pathname === path

/** Takes the call back of a chat that is looked at. */
export const dismissCall = (org: string, path: string): void => dismissToast(keyOf(org, path))

/** Says on every page that a customer needs a person, as the person preferences it, until somebody takes it. */
export function startHumanCalls({ client, live, navigate, org, t }: HumanCallParts): () => void {
  /** Who waits, while the person's preferences are asked for. */
  const waiting = new Set<string>()

  const sentenceOf = ({ message, reason, params }: LiveEvents['human']) =>
    reason === 'firstMessage' && params ? t('human.firstMessage', { ...params }) : message

  const call = async (data: LiveEvents['human']) => {
    const { conversationId } = data
    const address = addressOfEvent(data)
    const path = paths.chat(org, address)
    if (isOpen(path)) return
    waiting.add(address)
    const preferences = await preferencesOf(client, org)
    if (!waiting.delete(address) || !preferences.toast || isMuted(preferences, conversationId) || isOpen(path)) return
    toast(sentenceOf(data), {
      key: keyOf(org, path),
      durationMs: humanToastMs,
      closable: true,
      action: { label: t('human.goToChat'), onClick: () => navigate(path) },
    })
  }
  const takeBack = (address: string) => {
    waiting.delete(address)
    dismissCall(org, paths.chat(org, address))
  }

  const stops = [
    live.on('human', data => void call(data)),
    live.on('human.claimed', event => takeBack(addressOfEvent(event))),
    live.on('conversation', ({ conversation }) => {
      if (conversation.control !== 'needsHuman') takeBack(addressOfConversation(conversation))
    }),
  ]
  return () => {
    waiting.clear()
    for (const stop of stops) stop()
  }
}
