import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { versionsQuery } from '../../queries.ts'
import type { FlowDraft } from '../draft/draft.ts'
import { VersionCompare } from './version-compare.tsx'

interface VersionsDialogProps {
  readonly flow: Flow
  readonly draft: FlowDraft
  readonly isReadOnly: boolean
  flush(): Promise<boolean>
  revision(): number
  onRestored(flow: Flow): void
  onClose(): void
}

/** The published versions, newest first: each can be compared with the draft and restored as draft. */
export default function VersionsDialog(props: VersionsDialogProps) {
  const { flow, draft, isReadOnly, flush, revision, onRestored, onClose } = props
  const { t, i18n } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const api = useApi()
  const failureText = useFailureText()
  const [shown, setShown] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const { data, isError } = useQuery(versionsQuery(slug, flow.id))
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  const restore = (version: number) =>
    work(async () => {
      setFailure(undefined)
      try {
        if (!(await flush())) return setFailure(t('save.first'))
        onRestored(await api.flows.restore({ params: { id: flow.id, version }, body: { revision: revision() } }))
        toast(t('versions.restored', { version }), { kind: 'success' })
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Modal title={t('versions.title')} width={shown === undefined ? 640 : 960} onClose={onClose}>
      {isError ? <Fault>{t('versions.failed')}</Fault> : null}
      {data && !data.items.length ? <p>{t('versions.none')}</p> : null}
      <ol className="flow-versions">
        {data?.items.map(({ version, note, publishedAt, by }) => (
          <li key={version}>
            <div>
              <b>{t('versions.number', { version })}</b>
              {version === flow.published?.version ? (
                <span className="chip chip-green">{t('versions.current')}</span>
              ) : null}
              <small>
                {shortDate(publishedAt, language, timeZone)} · {by}
              </small>
              {note ? <p dir="auto">{note}</p> : null}
            </div>
            <div className="flow-version-tools">
              <button
                type="button"
                className="link"
                aria-expanded={shown === version}
                onClick={() => setShown(shown === version ? undefined : version)}
              >
                {t('versions.compare')}
              </button>
              {isReadOnly ? null : (
                <button
                  type="button"
                  className="link"
                  aria-disabled={isWorking}
                  onClick={() => isWorking || restore(version)}
                >
                  {t('versions.restore')}
                </button>
              )}
            </div>
            {shown === version ? (
              <VersionCompare
                flowId={flow.id}
                versions={data.items.map(one => one.version)}
                version={version}
                draft={draft}
              />
            ) : null}
          </li>
        ))}
      </ol>
      {failure ? <Fault>{failure}</Fault> : null}
      <DialogClose onClose={onClose} />
    </Modal>
  )
}
