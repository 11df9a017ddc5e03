import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/facts.ts'
import { queryFor } from '#client/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { readGraph } from '#shared/flow-exchange.ts'
import type { Flow } from '#shared/flows.ts'
import { isLanguage } from '#shared/language.ts'
import { longDate } from '#shared/time.ts'
import { compareGraphs } from './compare.ts'
import type { FlowDraft } from './draft.ts'
import { useEditorFacts } from './editor-context.ts'
import { versionsQuery } from './queries.ts'
import { listedAs } from './words.ts'

interface VersionsDialogProps {
  readonly flow: Flow
  readonly draft: FlowDraft
  readonly isReadOnly: boolean
  flush(): Promise<boolean>
  revision(): number
  onRestored(flow: Flow): void
  onClose(): void
}

/** In which steps what is drawn now differs from a version. */
function Differences({ flow, version, draft }: Pick<VersionsDialogProps, 'flow' | 'draft'> & { version: number }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { names } = useEditorFacts()
  const { data, isError } = useQuery(queryFor(slug, 'flows.getVersion', { params: { id: flow.id, version } }))
  if (isError) return <Fault>{t('versions.failed')}</Fault>
  if (!data) return <span className="skeleton flow-version-skeleton" />
  const differences = compareGraphs(readGraph(data.graph), draft.graph)
  if (!differences.length) return <p className="field-hint">{t('versions.same')}</p>
  return (
    <ul className="flow-differences">
      {differences.map(({ change, node }) => (
        <li key={`${change} ${node.id}`} data-change={change}>
          <span className="chip">{t(`versions.${change}`)}</span>
          <span className="cut">{listedAs(t, node, names)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What was published, newest first: compared with what is drawn now, and made the draft again. */
export default function VersionsDialog(props: VersionsDialogProps) {
  const { flow, draft, isReadOnly, flush, revision, onRestored, onClose } = props
  const { t, i18n } = useTranslation('flows')
  const { t: common } = useTranslation()
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
    <Modal title={t('versions.title')} width={640} onClose={onClose}>
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
                {longDate(publishedAt, language, timeZone)} · {by}
              </small>
              {note ? <p>{note}</p> : null}
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
            {shown === version ? <Differences flow={flow} version={version} draft={draft} /> : null}
          </li>
        ))}
      </ol>
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('close')}
        </button>
      </div>
    </Modal>
  )
}
