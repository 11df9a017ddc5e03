import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { SwitchRow } from '#client/ui/controls/switch-row.tsx'
import { TimeInput } from '#client/ui/controls/time-input.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { ownTimeZone } from '#client/ui/text/own-time-zone.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import type { NotificationSettingsChange, NotificationSettings as Settings } from '#shared/notifications/api.ts'
import { askDesktop, DesktopError, type DesktopState, desktopState, showDesktop } from './desktop.ts'
import { settingsQuery } from './queries.ts'
import { playSound } from './sound.ts'
import { type PushState, pushState, switchPushOff, switchPushOn } from './subscription.ts'
import './settings.css'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'

/** Applies a change at once and reverts it when the server refuses. */
const useChange = (org: string) => {
  const api = useApi()
  const client = useQueryClient()
  const textOf = useFailureText()
  const { queryKey } = settingsQuery(org)
  return useMutation({
    mutationFn: (change: NotificationSettingsChange) => api.notifications.changeSettings({ body: change }),
    onMutate(change) {
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (now: Settings | undefined) => now && { ...now, ...change })
      return before
    },
    onSuccess: settings => client.setQueryData(queryKey, settings),
    onError(error, _change, before) {
      client.setQueryData(queryKey, before)
      toast(textOf(error), { kind: 'error' })
    },
  })
}

/** The permission that the system gives this browser. Known only after hydration. */
const useBrowser = () => {
  const [desktop, setDesktop] = useState<DesktopState>()
  const [push, setPush] = useState<PushState>()
  const look = () => {
    setDesktop(desktopState())
    pushState().then(setPush, () => setPush('unsupported'))
  }
  useEffect(look, [])
  return { desktop, push, look }
}

const useFault = () => {
  const { t } = useTranslation('notifications')
  const textOf = useFailureText()
  return (error: unknown) =>
    toast(error instanceof DesktopError ? t(`fault.${error.fault}`) : textOf(error), { kind: 'error', closable: true })
}

type Busy = (run: () => Promise<unknown>) => void

/** Reserves space until the browser's permissions are known after hydration. */
const KeptPlace = ({ says, button }: { says: string; button: string }) => (
  <>
    <p className="notice-state notice-kept">
      <Icon name="info" />
      {says}
    </p>
    <button type="button" className="button notice-kept" disabled>
      {button}
    </button>
  </>
)

function DesktopPermission({ state, org, run }: { state: DesktopState; org: string; run: Busy }) {
  const { t } = useTranslation('notifications')
  const test = () =>
    showDesktop(
      { id: 'test', title: t('settings.desktop.testTitle'), body: t('settings.desktop.testBody'), org, path: null },
      () => undefined,
    )
  return (
    <>
      <p className={`notice-state notice-state-${state}`}>
        <Icon name={state === 'granted' ? 'tick' : state === 'default' ? 'info' : 'warn'} />
        {t(`settings.permission.${state}`)}
      </p>
      {state === 'default' ? (
        <button type="button" className="button" onClick={() => run(askDesktop)}>
          {t('settings.desktop.ask')}
        </button>
      ) : null}
      {state === 'granted' ? (
        <button type="button" className="button" onClick={() => run(test)}>
          {t('settings.desktop.test')}
        </button>
      ) : null}
    </>
  )
}

function BrowserPush({ state, run }: { state: PushState; run: Busy }) {
  const { t } = useTranslation('notifications')
  const api = useApi()
  return (
    <>
      <p className="notice-state">
        <Icon name={state === 'on' ? 'tick' : state === 'off' ? 'info' : 'warn'} />
        {t(`settings.push.${state}`)}
      </p>
      {state === 'unsupported' ? null : (
        <button
          type="button"
          className="button"
          onClick={() => run(() => (state === 'on' ? switchPushOff(api) : switchPushOn(api)))}
        >
          {state === 'on' ? t('settings.push.switchOff') : t('settings.push.switchOn')}
        </button>
      )}
    </>
  )
}

const ownZone = () => ownTimeZone() || defaultTimeZone

function QuietHours({ quiet, change }: { quiet: Settings['quiet']; change: (quiet: Settings['quiet']) => void }) {
  const { t } = useTranslation('notifications')
  const id = useId()
  const set = (side: 'from' | 'to', value: string) => {
    if (!quiet) return
    const next = { ...quiet, [side]: value, timeZone: ownZone() }
    if (next.from === next.to) toast(t('settings.quiet.same'), { kind: 'error' })
    else change(next)
  }
  return (
    <SwitchRow
      label={t('settings.quiet.label')}
      hint={t('settings.quiet.hint')}
      isOn={quiet !== null}
      change={isOn => change(isOn ? { from: '22:00', to: '07:00', timeZone: ownZone() } : null)}
    >
      {quiet ? (
        <div className="notice-hours">
          {(['from', 'to'] as const).map(side => (
            <div key={side} className="field">
              <label htmlFor={`${id}-${side}`}>{t(`settings.quiet.${side}`)}</label>
              <TimeInput id={`${id}-${side}`} required value={quiet[side]} onChange={time => set(side, time)} />
            </div>
          ))}
          <p>{t('settings.quiet.zone', { zone: zoneCity(quiet.timeZone) })}</p>
        </div>
      ) : null}
    </SwitchRow>
  )
}

/**
 * A person's notification settings and this browser's permissions. Below `/org/:org`; the loader may start
 * `settingsQuery`.
 */
export function NotificationSettings() {
  const { t } = useTranslation('notifications')
  const { slug, name } = useOrg()
  const settings = useAnswer(settingsQuery(slug))
  const change = useChange(slug)
  const { desktop, push, look } = useBrowser()
  const fault = useFault()
  const [isBusy, setBusy] = useState(false)
  const run: Busy = work => {
    if (isBusy) return
    setBusy(true)
    work()
      .catch(fault)
      .finally(() => {
        setBusy(false)
        look()
      })
  }
  const testSound = async () => {
    if (!(await playSound())) throw new DesktopError('sound')
  }
  return (
    <section className="notice-settings" aria-labelledby="notice-settings" aria-busy={isBusy}>
      <h2 id="notice-settings">{t('settings.title')}</h2>
      <p className="notice-intro">{t('settings.intro')}</p>
      <SwitchRow
        label={t('settings.toast.label')}
        hint={t('settings.toast.hint')}
        isOn={settings.toast}
        change={toast => change.mutate({ toast })}
      />
      <SwitchRow
        label={t('settings.sound.label')}
        hint={t('settings.sound.hint')}
        isOn={settings.sound}
        change={sound => change.mutate({ sound })}
      >
        <button type="button" className="button" onClick={() => run(testSound)}>
          {t('settings.sound.test')}
        </button>
      </SwitchRow>
      <SwitchRow
        label={t('settings.desktop.label')}
        hint={t('settings.desktop.hint')}
        isOn={settings.desktop}
        change={desktop => change.mutate({ desktop })}
      >
        {desktop ? (
          <DesktopPermission state={desktop} org={slug} run={run} />
        ) : (
          <KeptPlace says={t('settings.permission.default')} button={t('settings.desktop.ask')} />
        )}
      </SwitchRow>
      <SwitchRow
        label={t('settings.push.label')}
        hint={t('settings.push.hint')}
        isOn={settings.push}
        change={push => change.mutate({ push })}
      >
        {push ? (
          <BrowserPush state={push} run={run} />
        ) : (
          <KeptPlace says={t('settings.push.off')} button={t('settings.push.switchOn')} />
        )}
      </SwitchRow>
      <QuietHours quiet={settings.quiet} change={quiet => change.mutate({ quiet })} />
      <SwitchRow
        label={t('settings.muted.label', { name })}
        hint={t('settings.muted.hint')}
        isOn={settings.muted}
        change={muted => change.mutate({ muted })}
      />
    </section>
  )
}
