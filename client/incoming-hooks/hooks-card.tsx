import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { IntegrationCard, StateChip } from '#client/integrations/card/integration-card.tsx'
import { useRecent } from '#client/integrations/card/recent.ts'
import { Rows } from '#client/integrations/card/rows.tsx'
import { useHookState, useIncomingState } from '#client/integrations/card/states.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { type IncomingHook, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { paths } from '#shared/kernel/paths.ts'
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
  const recent = useRecent()
  const state = useHookState()(hook)
  const { name, active, action, last, day } = hook
  const today = day.done + day.refused
  return (
    <li>
      <button
        type="button"
        className="integration-name"
        aria-label={t('incoming.callsOf', { name })}
        dir="auto"
        onClick={() => onOpen('calls')}
      >
        {name}
      </button>
      <StateChip state={state} />
      <small>
        {[
          t(`incoming.kind.${action.kind}`),
          today ? t('incoming.today', { count: today }) : null,
          day.refused ? t('incoming.refusedToday', { count: day.refused }) : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
      <small dir="auto">{last ? `${last.says} · ${recent(last.at)}` : t('incoming.never')}</small>
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

/** Flows that start by an address of their own, which their editor shows. */
function FlowAddresses() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const recent = useRecent()
  const { data } = useQuery(flowsQuery(slug))
  const { data: uses } = useQuery(flowUsesQuery(slug))
  const calledAt = new Map(uses?.items.map(one => [one.flowId, one.calledAt]))
  const lastCallOf = (id: string) => {
    const at = calledAt.get(id)
    return at ? t('incoming.lastCall', { at: recent(at) }) : t('incoming.never')
  }
  const flows = (data?.items ?? []).filter(({ triggers }) => triggers.some(({ kind }) => kind === 'webhook'))
  if (!flows.length) return null
  return (
    <Rows items={flows}>
      {({ id, name, state }) => (
        <li key={id}>
          <Link className="integration-name" to={paths.flow(slug, id)} dir="auto">
            {name}
          </Link>
          <StateChip
            state={
              state === 'live' ? { tone: 'good', says: t('incoming.on') } : { tone: 'quiet', says: t('incoming.off') }
            }
          />
          <small>{t('incoming.ofFlow')}</small>
          {uses ? <small>{lastCallOf(id)}</small> : null}
        </li>
      )}
    </Rows>
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
  const state = useIncomingState()
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
    <>
      <IntegrationCard
        id="incoming-hooks"
        icon="reply"
        title={t('incoming.title')}
        says={t('incoming.explain')}
        state={state}
        foot={
          items && items.length < incomingLimits.hooks ? (
            <button type="button" className="button" onClick={() => setAdding(true)}>
              {t('incoming.add')}
            </button>
          ) : null
        }
      >
        {error ? <Fault>{failureText(error)}</Fault> : null}
        {items?.length === 0 ? <p className="integration-none">{t('incoming.none')}</p> : null}
        <Rows items={items ?? []}>
          {one => (
            <HookRow
              key={one.id}
              hook={one}
              onOpen={what => setOpened({ hook: one, open: what })}
              onSwitch={() => turn(one)}
            />
          )}
        </Rows>
        <FlowAddresses />
      </IntegrationCard>
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
    </>
  )
}
