import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { hooksQuery } from '#client/incoming-hooks/queries.ts'
import { webhooksQuery } from '#client/outgoing-webhooks/queries.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { IncomingHook } from '#shared/incoming-hooks/api.ts'
import type { OutgoingWebhook } from '#shared/outgoing-webhooks/api.ts'
import { importsQuery, keyUseQuery, managesConnection, mayImport } from '../queries.ts'

export interface CardState {
  readonly tone: 'good' | 'warning' | 'bad' | 'quiet'
  /** One to four words. */
  readonly says: string
}

const statusTones = { connected: 'good', reauthorise: 'warning', blocked: 'bad', none: 'quiet' } as const

/** A number's state: connected, refused by Meta, blocked or disconnected. */
export function useNumberState(): (status: 'connected' | 'reauthorise' | 'blocked' | null) => CardState {
  const { t } = useTranslation('integrations')
  return status => ({ tone: statusTones[status ?? 'none'], says: t(`status.${status ?? 'none'}`) })
}

/** The worst state of several numbers, because one that fails is what a person has to see. */
export function useWhatsAppState(): CardState | undefined {
  const { slug } = useOrg()
  const waba = useOptionalAnswer(wabaQuery(slug))
  const stateOf = useNumberState()
  if (!waba) return undefined
  const found = waba.numbers?.map(({ status }) => status) ?? []
  return stateOf((['blocked', 'reauthorise'] as const).find(one => found.includes(one)) ?? waba.status)
}

/** One webhook. */
export function useWebhookState(): (webhook: OutgoingWebhook) => CardState {
  const { t } = useTranslation('integrations')
  return ({ active, stoppedFor, last }) => {
    if (stoppedFor) return { tone: 'bad', says: t('hooks.stopped') }
    if (!active) return { tone: 'quiet', says: t('hooks.off') }
    return last?.failure ? { tone: 'warning', says: t('hooks.cardFailing') } : { tone: 'good', says: t('hooks.on') }
  }
}

export function useWebhooksState(): CardState | undefined {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const items = useOptionalAnswer({ ...webhooksQuery(slug), enabled: managesConnection(role) })?.items
  if (!items) return undefined
  const stopped = items.filter(({ stoppedFor }) => stoppedFor).length
  if (stopped) return { tone: 'bad', says: t('hooks.cardStopped', { count: stopped }) }
  const active = items.filter(one => one.active)
  if (!active.length) return { tone: 'quiet', says: t(items.length ? 'hooks.allOff' : 'unused') }
  const failing = active.filter(({ last }) => last?.failure).length
  return failing
    ? { tone: 'warning', says: t('hooks.failing', { count: failing }) }
    : { tone: 'good', says: t('hooks.cardWorks') }
}

/** One incoming webhook. */
export function useHookState(): (hook: IncomingHook) => CardState {
  const { t } = useTranslation('integrations')
  return ({ active, last }) => {
    if (!active) return { tone: 'quiet', says: t('incoming.off') }
    return last?.state === 'refused'
      ? { tone: 'warning', says: t('incoming.lastRefused') }
      : { tone: 'good', says: t('incoming.on') }
  }
}

export function useIncomingState(): CardState | undefined {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const items = useOptionalAnswer({ ...hooksQuery(slug), enabled: managesConnection(role) })?.items
  if (!items) return undefined
  const active = items.filter(one => one.active)
  if (!active.length) return { tone: 'quiet', says: t(items.length ? 'incoming.allOff' : 'unused') }
  const refused = active.reduce((sum, { day }) => sum + day.refused, 0)
  return refused
    ? { tone: 'warning', says: t('incoming.refusedToday', { count: refused }) }
    : { tone: 'good', says: t('incoming.active', { count: active.length }) }
}

export function useApiState(): CardState | undefined {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const keys = useOptionalAnswer({ ...keyUseQuery(slug), enabled: managesConnection(role) })?.keys
  if (!keys) return undefined
  const failed = keys.reduce((sum, one) => sum + one.failed, 0)
  if (failed) return { tone: 'warning', says: t('apiCard.failed', { count: failed }) }
  if (keys.some(({ calls }) => calls)) return { tone: 'good', says: t('apiCard.works') }
  return { tone: 'quiet', says: t(keys.length ? 'apiCard.quiet' : 'apiCard.noKeys') }
}

const importTones = { running: 'quiet', done: 'good', stopped: 'quiet', failed: 'bad' } as const

export function useMovingState(): CardState | undefined {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const last = useOptionalAnswer({ ...importsQuery(slug), enabled: mayImport(role) })?.items[0]
  return last ? { tone: importTones[last.state], says: t(`moving.state.${last.state}`) } : undefined
}
