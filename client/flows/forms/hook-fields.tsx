import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { exampleCall, type FlowHook } from '#shared/flows/triggers/hooks.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { fullTime, longDate } from '#shared/kernel/time.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { hookQuery } from '../queries.ts'
import './hook.css'

interface CopiedProps {
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly copy: string
  readonly done: string
  readonly isLong?: boolean
}

function Copied({ label, value, hint, copy, done, isLong }: CopiedProps) {
  const { t } = useTranslation('flows')
  const id = useId()
  return (
    <div className="field">
      <span className="label" id={id}>
        {label}
      </span>
      <div className="flow-hook-copy">
        {isLong ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
          <section aria-labelledby={id} tabIndex={0}>
            <pre>{value}</pre>
          </section>
        ) : (
          <code>{value}</code>
        )}
        <CopyButton value={value} label={copy} done={done} failed={t('hook.copyFailed')} />
      </div>
      {hint ? <div className="field-hint">{hint}</div> : null}
    </div>
  )
}

function Address({ hook, variables }: { readonly hook: FlowHook; readonly variables: readonly string[] }) {
  const { t, i18n } = useTranslation('flows')
  const { timeZone } = useFacts()
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  const { url, changedAt, changedBy, calledAt } = hook
  return (
    <>
      {url === null ? (
        <p className="field-hint">{t('hook.unreadable')}</p>
      ) : (
        <>
          <Copied
            label={t('hook.address')}
            hint={t('hook.addressHint')}
            value={url}
            copy={t('hook.copy')}
            done={t('hook.copied')}
          />
          <Copied
            isLong
            label={t('hook.example')}
            value={exampleCall(url, variables)}
            copy={t('hook.copyExample')}
            done={t('hook.exampleCopied')}
          />
        </>
      )}
      <p className="field-hint">
        {t('hook.changed', { name: changedBy, date: longDate(changedAt, language, timeZone) })}{' '}
        {calledAt ? t('hook.called', { date: fullTime(calledAt, language, timeZone) }) : t('hook.neverCalled')}
      </p>
    </>
  )
}

/** The address at which other programs start the flow, an example request, and a button to replace the address. */
export function HookFields({ variables }: { readonly variables: readonly string[] }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { flowId, isReadOnly } = useEditorFacts()
  const api = useApi()
  const client = useQueryClient()
  const [isReplacing, setReplacing] = useState(false)
  const query = hookQuery(slug, flowId)
  const { data, isError } = useQuery({ ...query, enabled: !isReadOnly, refetchOnMount: 'always' })
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  useEvents(
    {
      flow({ id, change }) {
        // The trigger was just added: the next save creates the address.
        const isMade = change === 'saved' && !data?.hook
        if (id === flowId && (isMade || change === 'readdressed')) refresh()
      },
    },
    refresh,
  )
  if (isReadOnly) return null
  if (isError) return <Fault>{t('hook.failed')}</Fault>
  if (!data) return <span className="skeleton flow-version-skeleton" />
  if (!data.hook) return <p className="field-hint">{t('hook.pending')}</p>
  return (
    <>
      <Address hook={data.hook} variables={variables} />
      <div>
        <button type="button" className="button" onClick={() => setReplacing(true)}>
          {t('hook.replace')}
        </button>
      </div>
      {isReplacing ? (
        <LazyConfirm
          title={t('hook.replaceTitle')}
          says={[t('hook.replaceSays')]}
          confirm={t('hook.replaceConfirm')}
          run={async () => {
            client.setQueryData(query.queryKey, await api.flowHooks.replaceHook({ params: { id: flowId } }))
            toast(t('hook.replaced'), { kind: 'success' })
          }}
          onClose={() => setReplacing(false)}
        />
      ) : null}
    </>
  )
}
