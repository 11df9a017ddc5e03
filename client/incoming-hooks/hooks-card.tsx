import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type IncomingHook, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { flowsQuery, flowUsesQuery, hooksQuery } from './queries.ts'
import './hooks.css'

const HookDialog = lazyDialog(() => import('./hook-dialog.tsx'))
const AddressDialog = lazyDialog(() => import('./address-dialog.tsx'))
const CallsDialog = lazyDialog(() => import('./calls-dialog.tsx'))

type Open = 'change' | 'address' | 'calls' | 'delete'

interface RowProps {
  readonly hook: IncomingHook
  onOpen(open: Open): void
  onSwitch(): void
}

function HookRow({ hook, onOpen, onSwitch }: RowProps) {
  const { t } = useTranslation('integrations')
  const { language, timeZone } = useFacts()
  const { name, active, action, last, day } = hook
  const today = day.done + day.refused
  return (
    <li>
      <div className="hook-names grow">
        <b dir="auto">{name}</b>
        <span className={!active ? 'chip' : last?.state === 'refused' ? 'chip chip-amber' : 'chip chip-green'}>
          {t(!active ? 'incoming.off' : last?.state === 'refused' ? 'incoming.lastRefused' : 'incoming.on')}
        </span>
        <small>
          {[
            t(`incoming.kind.${action.kind}`),
            today ? t('incoming.today', { count: today }) : null,
            day.refused ? t('incoming.refusedToday', { count: day.refused }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        <small dir="auto">
          {last ? `${shortTime(last.at, language, timeZone)}: ${last.says}` : t('incoming.never')}
        </small>
      </div>
      <RowMenu
        label={t('incoming.actionsOf', { name })}
        items={() => (
          <>
            <MenuItem onClick={() => onOpen('calls')}>{t('incoming.calls')}</MenuItem>
            <MenuItem onClick={() => onOpen('change')}>{t('incoming.change')}</MenuItem>
            <MenuItem onClick={() => onOpen('address')}>{t('incoming.replace')}</MenuItem>
            <MenuItem onClick={onSwitch}>{t(active ? 'incoming.switchOff' : 'incoming.switchOn')}</MenuItem>
            <MenuItem danger onClick={() => onOpen('delete')}>
              {t('incoming.delete')}
            </MenuItem>
          </>
        )}
      />
    </li>
  )
}

/** How the hooks do, in a word. Nothing while there are none. */
function CardState({ hooks }: { readonly hooks: readonly IncomingHook[] }) {
  const { t } = useTranslation('integrations')
  const active = hooks.filter(one => one.active)
  if (!active.length) return null
  const refused = active.reduce((sum, { day }) => sum + day.refused, 0)
  return refused ? (
    <span className="chip chip-amber">{t('incoming.refusedToday', { count: refused })}</span>
  ) : (
    <span className="chip chip-green">{t('incoming.active', { count: active.length })}</span>
  )
}

/** Flows that start by an address of their own, which their editor shows. */
function FlowAddresses() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { language, timeZone } = useFacts()
  const { data } = useQuery(flowsQuery(slug))
  const { data: uses } = useQuery(flowUsesQuery(slug))
  const calledAt = new Map(uses?.items.map(one => [one.flowId, one.calledAt]))
  const lastCallOf = (id: string) => {
    const at = calledAt.get(id)
    return at ? t('incoming.lastCall', { at: shortTime(at, language, timeZone) }) : t('incoming.never')
  }
  const flows = (data?.items ?? []).filter(({ triggers }) => triggers.some(({ kind }) => kind === 'webhook'))
  if (!flows.length) return null
  return (
    <ul className="hook-rows">
      {flows.map(({ id, name, state }) => (
        <li key={id}>
          <div className="hook-names grow">
            <Link to={paths.flow(slug, id)} dir="auto">
              {name}
            </Link>
            <span className={state === 'live' ? 'chip chip-green' : 'chip'}>
              {t(state === 'live' ? 'incoming.on' : 'incoming.off')}
            </span>
            <small>{t('incoming.ofFlow')}</small>
            {uses ? <small>{lastCallOf(id)}</small> : null}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Addresses that programs call, on the page of connections. */
export default function IncomingCard() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { queryKey, ...query } = hooksQuery(slug)
  const { data, error } = useQuery({ queryKey, ...query })
  const items = data?.items
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<{ hook: IncomingHook; open: Open }>()
  const refresh = () => client.invalidateQueries({ queryKey })
  const close = () => {
    setAdding(false)
    setOpened(undefined)
    refresh().catch(() => undefined)
  }
  const turn = async ({ id, active }: IncomingHook) => {
    try {
      await api.incomingHooks.changeHook({ params: { id }, body: { active: !active } })
      await refresh()
    } catch (refusal) {
      toast(failureText(refusal), { kind: 'error' })
    }
  }
  const { hook, open } = opened ?? {}
  return (
    <section className="card" aria-labelledby="incoming-hooks">
      <div className="card-head">
        <Icon name="reply" />
        <h2 id="incoming-hooks">{t('incoming.title')}</h2>
        <CardState hooks={items ?? []} />
      </div>
      <p>{t('incoming.explain')}</p>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {items?.length ? (
        <ul className="hook-rows">
          {items.map(one => (
            <HookRow
              key={one.id}
              hook={one}
              onOpen={what => setOpened({ hook: one, open: what })}
              onSwitch={() => turn(one)}
            />
          ))}
        </ul>
      ) : null}
      <FlowAddresses />
      {items && items.length < incomingLimits.hooks ? (
        <div className="card-buttons">
          <button type="button" className="button" onClick={() => setAdding(true)}>
            {t('incoming.add')}
          </button>
        </div>
      ) : null}
      {isAdding ? <HookDialog hook={undefined} onSaved={refresh} onClose={close} /> : null}
      {hook && open === 'change' ? <HookDialog hook={hook} onSaved={refresh} onClose={close} /> : null}
      {hook && open === 'address' ? <AddressDialog hook={hook} onClose={close} /> : null}
      {hook && open === 'calls' ? (
        <CallsDialog hook={hook} onReplayed={() => refresh().catch(() => undefined)} onClose={close} />
      ) : null}
      {hook && open === 'delete' ? (
        <LazyConfirm
          title={t('incoming.deleteTitle', { name: hook.name })}
          says={[t('incoming.deleteSays')]}
          confirm={t('incoming.delete')}
          run={async () => {
            await api.incomingHooks.deleteHook({ params: { id: hook.id } })
            toast(t('incoming.deleted', { name: hook.name }), { kind: 'success' })
          }}
          onClose={close}
        />
      ) : null}
    </section>
  )
}
